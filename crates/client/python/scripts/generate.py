"""Writes types.py and _operations.py from the OpenAPI document.

python scripts/generate.py openapi.json src/contact_hub_client
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

METHODS = ["get", "put", "post", "delete", "patch"]
PLAIN = {"string": "str", "integer": "int", "boolean": "bool"}

HEAD = '''"""The operations, one method each. Generated from the OpenAPI document by scripts/generate.py."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal, TypedDict

from . import types
from ._core import Operation, Reply
'''

CALLER = '''

class {name}(ABC):
    """The operations, in the order of the document."""

    @abstractmethod
    {define} _call(self, operation: Operation, **given: Any) -> Reply[Any, Any]: ...
'''


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])([A-Z])", r"_\1", name).lower()


def kind(schema: dict[str, Any]) -> str:
    """The type of a parameter or of a payload."""
    if "$ref" in schema:
        return "types." + schema["$ref"].rsplit("/", 1)[1]
    if "enum" in schema:
        return f"Literal[{', '.join(json.dumps(value) for value in schema['enum'])}]"
    if schema["type"] == "array":
        return f"list[{kind(schema['items'])}]"
    if schema["type"] == "object":
        return f"dict[str, {kind(schema['additionalProperties'])}]"
    return PLAIN[schema["type"]]


def content(holder: dict[str, Any] | None) -> dict[str, Any] | None:
    found = (holder or {}).get("content", {}).get("application/json")
    return found and found["schema"]


class Method:
    """One operation."""

    def __init__(self, path: str, verb: str, operation: dict[str, Any]) -> None:
        self.id, self.path, self.verb, self.operation = operation["operationId"], path, verb, operation
        parameters = operation.get("parameters", [])
        self.path_names = [it["name"] for it in parameters if it["in"] == "path"]
        self.query = {it["name"]: it["schema"] for it in parameters if it["in"] == "query"}
        self.headers = {it["name"] for it in parameters if it["in"] == "header"}
        self.body = content(operation.get("requestBody"))
        self.needs_body = operation.get("requestBody", {}).get("required", False)
        successes = [it for status, it in operation["responses"].items() if status.startswith("2")]
        answer = (content(successes[0]) or {}).get("properties", {})
        data, meta = (kind(answer[name]) if name in answer else "None" for name in ("data", "meta"))
        self.reply = f"Reply[{data}, {meta}]"

    @property
    def query_name(self) -> str:
        return self.id[0].upper() + self.id[1:] + "Query"

    def query_type(self) -> str:
        members = "".join(f"        {json.dumps(name)}: {kind(it)},\n" for name, it in self.query.items())
        return f'\n{self.query_name} = TypedDict(\n    "{self.query_name}",\n    {{\n{members}    }},\n    total=False,\n)\n'

    def written(self, is_async: bool) -> str:
        given = [(snake(name), "str") for name in self.path_names]
        given += [("body", kind(self.body) + ("" if self.needs_body else " | None = None"))] if self.body else []
        options = [("query", f"{self.query_name} | None")] if self.query else []
        names = {"Idempotency-Key": "idempotency_key", "If-Match": "if_match", "If-None-Match": "if_none_match"}
        options += [(names[name], "str | None") for name in sorted(self.headers)]
        signature = ["self", *(f"{name}: {it}" for name, it in given), *(["*"] if options else [])]
        signature += [f"{name}: {it} = None" for name, it in options]
        path = ", ".join(f'"{name}": {snake(name)}' for name in self.path_names)
        passed = [f"path={{{path}}}"] if path else []
        passed += ["body=body"] if self.body else []
        passed += [f"{name}={name}" for name, _ in options]
        keyed = "Idempotency-Key" in self.headers
        operation = f'Operation("{self.id}", "{self.verb.upper()}", "{self.path}", {keyed})'
        about = f"{self.operation['summary']}. {self.operation['description']}"
        define, wait = ("async def", "await ") if is_async else ("def", "")
        lines = [
            "",
            f"    {define} {snake(self.id)}(",
            *(f"        {part}," for part in signature),
            f"    ) -> {self.reply}:",
            f"        {json.dumps(about, ensure_ascii=False)}",
            f"        return {wait}self._call(",
            *(f"            {part}," for part in [operation, *passed]),
            "        )",
            "",
        ]
        return "\n".join(lines)


def operations(document: dict[str, Any]) -> str:
    items = document["paths"].items()
    every = [Method(path, verb, item[verb]) for path, item in items for verb in METHODS if verb in item]
    methods = [method for method in every if method.id != "exportContacts"]
    text = HEAD + "".join(method.query_type() for method in every if method.query)
    for name, define, is_async in [("Operations", "def", False), ("AsyncOperations", "async def", True)]:
        text += CALLER.format(name=name, define=define)
        text += "".join(method.written(is_async) for method in methods)
    return text


def exact(line: str) -> str:
    """A number that is no integer is read as a Decimal, and written from a Decimal or a float."""
    return line.replace("float", "int | float | Decimal" if line.startswith("ScalarInput") else "int | Decimal")


def main() -> None:
    document, folder = sys.argv[1:]
    options = "--input-file-type openapi --openapi-scopes schemas --output-model-type typing.TypedDict --formatters builtin"
    options += " --target-python-version 3.11 --use-standard-collections --use-union-operator --use-schema-description"
    options += " --enum-field-as-literal all --disable-timestamp"
    head = "# Generated from the OpenAPI document by datamodel-code-generator and scripts/generate.py."
    command = [sys.executable, "-m", "datamodel_code_generator", "--input", document, *options.split()]
    # A member may begin with an underscore.
    command += ["--special-field-name-prefix", ""]
    command += ["--output", f"{folder}/types.py", "--custom-file-header", head]
    subprocess.run(command, check=True)
    written = Path(folder, "types.py")
    lines = "".join(map(exact, written.read_text().splitlines(keepends=True)))
    written.write_text(lines.replace("\nfrom typing", "\nfrom decimal import Decimal\nfrom typing", 1))
    text = operations(json.loads(Path(document).read_text()))
    Path(folder, "_operations.py").write_text(text)


if __name__ == "__main__":
    main()
