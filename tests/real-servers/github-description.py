"""Cuts GitHub's description of its API down to what a review asks for, and lets it be asked as clients do.

    github-description.py <whole description> <cut description>
"""

import json
import sys

USED = {
    "/repos/{owner}/{repo}": ["get"],
    "/repos/{owner}/{repo}/pulls/{pull_number}": ["get"],
    "/repos/{owner}/{repo}/pulls/{pull_number}/files": ["get"],
    "/repos/{owner}/{repo}/pulls/{pull_number}/comments": ["get", "post"],
    "/repos/{owner}/{repo}/issues/{issue_number}/comments": ["get", "post"],
    "/repos/{owner}/{repo}/statuses/{sha}": ["post"],
}


def references(value):
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for inner in value.values():
            yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        whole = json.load(file)
    paths = {}
    for path, methods in USED.items():
        kept = whole["paths"][path]
        paths[path] = {name: kept[name] for name in kept if name == "parameters" or name in methods}
    components = {}
    pending = list(references(paths))
    while pending:
        _, _, kind, name = pending.pop().split("/", 3)
        if name in components.setdefault(kind, {}):
            continue
        components[kind][name] = whole["components"][kind][name]
        pending.extend(references(components[kind][name]))
    responses = [
        response
        for methods in paths.values()
        for operation in methods.values()
        if isinstance(operation, dict)
        for response in operation["responses"].values()
    ] + list(components.get("responses", {}).values())
    for response in responses:
        content = response.get("content", {})
        if "application/json" in content:
            content["application/vnd.github+json"] = content["application/json"]
    pull = paths["/repos/{owner}/{repo}/pulls/{pull_number}"]["get"]["responses"]["200"]
    pull["content"]["application/vnd.github.v3.diff"] = {"schema": {"type": "string"}}
    cut = {"openapi": whole["openapi"], "info": whole["info"], "paths": paths, "components": components}
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(cut, file)


main()
