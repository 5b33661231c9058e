"""A Chat Completions endpoint that finds nothing, and counts what it was sent.

Run as `endpoint.py SECONDS`: it prints its port, answers each call after that many seconds, and
`GET /counted` tells how many requests and distinct markers of changed lines arrived. It is a process of
its own, so that what it keeps is not measured with the client. It ends when its standard input does.
"""

import json
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ANSWER = json.dumps(
    {
        "choices": [{"message": {"role": "assistant", "content": '{"issues":[]}'}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 1010},
    }
).encode()
MARKER = re.compile(rb"(?:before|after)_\d{6}_\d{6}")

delay = float(sys.argv[1])
lock = threading.Lock()
bodies = []


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with lock:
            bodies.append(body)
        time.sleep(delay)
        self.answer(ANSWER)

    def do_GET(self):
        with lock:
            markers = {marker for body in bodies for marker in MARKER.findall(body)}
            counted = {"requests": len(bodies), "markers": len(markers)}
            bodies.clear()
        self.answer(json.dumps(counted).encode())

    def answer(self, content):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


server = Server(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
