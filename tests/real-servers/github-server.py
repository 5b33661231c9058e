"""A small GitHub that remembers: one pull request, its comments and the statuses of its commits. Whatever it does not
know by itself it takes from the examples in GitHub's description.

    github-server.py <port> <cut description>

PUT /_script {"diff": "...", "too_large": true, "files": [...]} says what it has; GET /_journal returns what was asked.
"""

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

with open(sys.argv[2], encoding="utf-8") as file:
    DESCRIPTION = json.load(file)
SCRIPT = {"diff": "", "too_large": False, "files": [], "head": "0" * 40}
JOURNAL = []
INLINE, GENERAL = [], []


def example(path, method, status):
    response = DESCRIPTION["paths"][path][method]["responses"][status]
    examples = response["content"]["application/json"]["examples"]
    name = next(iter(examples.values()))["$ref"].rsplit("/", 1)[1]
    value = DESCRIPTION["components"]["examples"][name]["value"]
    return json.loads(json.dumps(value))


REPOSITORY = "/repos/{owner}/{repo}"
PULL = REPOSITORY + "/pulls/{pull_number}"


def answer(method, path, accept, body):
    """Returns status, media type and content."""
    if method == "GET" and path == "/_journal":
        return 200, JOURNAL
    if method == "PUT" and path == "/_script":
        SCRIPT.update(body)
        return 200, {}
    JOURNAL.append(f"{method} {path}")
    if method == "GET" and re.fullmatch(r"/repos/o/r", path):
        repository = example(REPOSITORY, "get", "200")
        # GitHub's own example lacks a property that its description requires.
        repository = {"language": "Python"} | repository
        for other in ("source", "parent", "template_repository"):
            repository.pop(other, None)
        repository["permissions"] = {"pull": True, "push": True, "admin": False}
        return 200, repository
    if method == "GET" and path == "/repos/o/r/pulls/7":
        if accept.endswith("v3.diff"):
            return (406, {"message": "too large"}) if SCRIPT["too_large"] else (200, SCRIPT["diff"])
        pull = example(PULL, "get", "200")
        pull["requested_teams"] = []
        pull["head"]["sha"] = SCRIPT["head"]
        return 200, pull
    if method == "GET" and path == "/repos/o/r/pulls/7/files":
        entry = example(PULL + "/files", "get", "200")[0]
        return 200, [{**entry, **file} for file in SCRIPT["files"]]
    if path in ("/repos/o/r/pulls/7/comments", "/repos/o/r/issues/7/comments"):
        inline = "/pulls/" in path
        comments = INLINE if inline else GENERAL
        if method == "GET":
            return 200, comments
        described = PULL + "/comments" if inline else REPOSITORY + "/issues/{issue_number}/comments"
        comments.append({**example(described, "post", "201"), **body})
        return 201, comments[-1]
    if method == "POST" and re.fullmatch(r"/repos/o/r/statuses/\w+", path):
        return 201, {**example(REPOSITORY + "/statuses/{sha}", "post", "201"), **body}
    return 404, {"message": "Not Found"}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_any(self):
        length = int(self.headers.get("content-length") or 0)
        body = json.loads(self.rfile.read(length)) if length else None
        accept = self.headers.get("accept", "")
        status, content = answer(self.command, self.path.split("?")[0], accept, body)
        is_text = isinstance(content, str)
        content = (content if is_text else json.dumps(content)).encode()
        self.send_response(status)
        self.send_header("content-type", "application/vnd.github.v3.diff" if is_text else "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = handle_any

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
