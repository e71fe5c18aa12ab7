"""The examples of the OpenAPI documents: each JSON body and answer has one, and it fits its schema."""

import json

from jsonschema_rs import Draft202012Validator

# A document is its own example; no face takes credentials yet.
WITHOUT = ("/openapi", "/v1/credentials")


def faults(document):
    """What is missing or does not fit, as texts."""
    found = []
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if not isinstance(operation, dict) or "responses" not in operation:
                continue
            bodies = [("request", operation.get("requestBody", {}))]
            bodies += [(status, answer) for status, answer in operation["responses"].items() if status.startswith("2")]
            for name, body in bodies:
                content = body.get("content", {}).get("application/json")
                if content:
                    found += [f"{method.upper()} {path}, {name}: {fault}" for fault in judged(content, path, document)]
    return found


def judged(content, path, document):
    given = [content["example"]] if "example" in content else [each["value"] for each in content.get("examples", {}).values()]
    if not given and not any(part in path for part in WITHOUT):
        yield "no example"
    validator = Draft202012Validator({"$ref": "#/example", "example": content["schema"], "components": document["components"]})
    for value in given:
        for error in validator.iter_errors(value):
            yield str(error).splitlines()[0]


def check_all(check, server, paths, headers):
    for path in paths:
        reply = server.control("GET", path, headers=headers)
        seen = faults(json.loads(reply.text)) if reply.status == 200 else [str(reply)]
        check(f"each body and answer of {path} has an example that fits", not seen, "; ".join(seen[:5]))
