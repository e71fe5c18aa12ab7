"""The examples of the OpenAPI documents: each body and answer has one, and it fits its schema."""

import copy
import re

from jsonschema_rs import Draft202012Validator

KINDS = ("application/json", "application/x-www-form-urlencoded")
# Operations whose answers have none: a document would be its own example, and no face takes credentials yet.
WITHOUT_ANSWER = {
    "control.document", "control.openAPI", "d1.openAPI", "control.createCredential", "control.getCredential",
}
CODES = re.compile(r"X-Sandbox-(?:Diagnosis|Notice): ([A-Z0-9_,]+)")


def faults(document, codes):
    """What is missing or does not fit, as texts. `codes` are the diagnoses that there are."""
    found = []
    for place, operation, content in bodies(document):
        given = [{"value": content["example"]}] if "example" in content else list(content.get("examples", {}).values())
        is_without = operation in WITHOUT_ANSWER and not place.endswith("request")
        if bool(given) == is_without:
            found.append(f"{place}: " + ("an example, where none is expected" if given else "no example"))
        schema = {"$ref": "#/example", "example": content["schema"], "components": document["components"]}
        validator = Draft202012Validator(schema)
        for example in given:
            found += [f"{place}: {error.message} at {list(error.instance_path)}" for error in validator.iter_errors(example["value"])]
            named = CODES.findall(example.get("description", ""))
            found += [f"{place}: no diagnosis {code}" for code in ",".join(named).split(",") if code and code not in codes]
    return found


def bodies(document):
    """Each request body and each answer 2xx in JSON, and each form: place, operation, media type."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method == "parameters":
                continue
            held = [("request", operation.get("requestBody", {}))]
            held += [(status, answer) for status, answer in operation["responses"].items() if status.startswith("2")]
            for name, body in held:
                for kind, content in body.get("content", {}).items():
                    if kind in KINDS:
                        yield f"{method.upper()} {path}, {name}", operation["operationId"], content


def spoiled(document):
    """The document with one example less or wrong, each time another way: the check must see each."""
    def body(of):
        return of["paths"]["/v1/cards"]["post"]["requestBody"]["content"]["application/json"]

    def example(change):
        other = copy.deepcopy(document)
        change(body(other))
        return other

    yield "a missing example", example(lambda content: content.pop("example"))
    yield "a missing member", example(lambda content: content["example"].pop("pan"))
    yield "another type", example(lambda content: content["example"].update(exp=1230))
    yield "another form", example(lambda content: content["example"].update(exp="1330"))
    named = {"wrong": {"description": "X-Sandbox-Diagnosis: NOT_A_CODE.", "value": body(document)["example"]}}
    yield "an unknown diagnosis", example(lambda content: (content.pop("example"), content.update(examples=named)))


def check_all(check, server, paths, headers):
    diagnoses = server.control("GET", "/v1/diagnoses", headers=headers)
    codes = {entry["code"] for entry in diagnoses.json["items"]}
    for path in paths:
        reply = server.control("GET", path, headers=headers)
        seen = faults(reply.json, codes) if reply.status == 200 else [str(reply)]
        check(f"each body and answer of {path} has an example that fits", not seen, "; ".join(seen[:5]))
    document = server.control("GET", "/v1/openapi.json", headers=headers).json
    for name, wrong in spoiled(document):
        seen = faults(wrong, codes)
        check(f"that check sees {name}", len(seen) == 1, seen)
