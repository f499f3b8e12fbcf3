"""What the client and the asynchronous client share: requests, and what answers mean. Nothing here waits or connects."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode, urlsplit

import simplejson

from ._errors import AnswerError, ConnectionFailed, ContactHubError
from ._retry import Retries, may_pass, retry_after

Data = TypeVar("Data")
Meta = TypeVar("Meta")

#: Receives the id of an operation that the service will remove, and the day of its end once that is fixed.
Deprecated = Callable[[str, str | None], None]

#: The longest body of an answer, in bytes.
LONGEST_BODY = 256 * 1024 * 1024


@dataclass(frozen=True)
class Operation:
    """An operation of the interface."""

    id: str
    method: str
    path: str
    keyed: bool


@dataclass(frozen=True)
class Reply(Generic[Data, Meta]):
    """What a call answers. Without a body `data` is None, also when nothing changed since `if_none_match`."""

    data: Data
    meta: Meta
    status: int
    headers: Mapping[str, str] = field(repr=False)

    @property
    def etag(self) -> str | None:
        """The version, for `if_match` and `if_none_match`."""
        return self.headers.get("etag")


@dataclass(frozen=True)
class Request:
    """A request, the same in every attempt."""

    operation: str
    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    content: bytes | None = field(repr=False)
    #: For how many seconds the service may hold the call before it answers.
    held: int


class Failed(Exception):
    """An attempt that may succeed later."""

    def __init__(self, error: ContactHubError, asked: float | None = None) -> None:
        self.error, self.asked = error, asked


@dataclass(frozen=True)
class Settings:
    """Where and how calls are made."""

    base_url: str
    api_key: str = field(repr=False)
    retries: Retries
    on_deprecated: Deprecated | None

    def __post_init__(self) -> None:
        base = urlsplit(self.base_url)
        if base.scheme not in ("http", "https") or not base.hostname or base.username or base.query or base.fragment:
            raise ContactHubError("base_url must be an http or https address without a user or a query")
        # An error of the HTTP library would repeat a key that is no valid header.
        if not re.fullmatch("[!-~]+", self.api_key):
            raise ContactHubError("api_key must consist of visible ASCII characters")

    def request(
        self,
        operation: Operation,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        accept: str = "application/json",
        idempotency_key: str | None = None,
        if_match: str | None = None,
        if_none_match: str | None = None,
    ) -> Request:
        """Writes a request."""
        headers = {"Authorization": f"Bearer {self.api_key}", "Accept": accept}
        if operation.keyed:
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        if if_match is not None:
            headers["If-Match"] = if_match
        if if_none_match is not None:
            headers["If-None-Match"] = if_none_match
        content = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = written(operation.id, body)
        address = self.base_url.rstrip("/") + fill_path(operation.path, path or {}) + write_query(query or {})
        wait = (query or {}).get("wait")
        held = wait if isinstance(wait, int) else 0
        return Request(operation.id, operation.method, address, headers, content, held)

    def warn(self, request: Request, headers: Mapping[str, str]) -> None:
        """Passes the announcement of an operation's end on."""
        if self.on_deprecated and "deprecation" in headers:
            self.on_deprecated(request.operation, headers.get("sunset"))

    def pause(self, failed: int, failure: Failed) -> float:
        """The pause before the next attempt, or the error when there is none."""
        wait = self.retries.pause(failed, failure.asked)
        if wait is None:
            raise failure.error from failure.__cause__
        return wait


def reply(status: int, headers: Mapping[str, str], content: bytes) -> Reply[Any, Any]:
    """What an answer means."""
    if status < 300 or status == 304:
        body = parsed(content) if content else {}
        if not isinstance(body, dict):
            raise Failed(ConnectionFailed("the answer is not JSON"))
        return Reply(body.get("data"), body.get("meta"), status, headers)
    raise refusal(status, headers, content)


def refusal(status: int, headers: Mapping[str, str], content: bytes) -> Exception:
    """The error of an answer, whichever of the three envelopes it has."""
    error = AnswerError(status, headers.get("x-request-id"), parsed(content))
    if may_pass(status, error.code):
        return Failed(error, retry_after(headers.get("retry-after")))
    return error


class Lines:
    """The lines of an export. Only a line feed ends one: texts may contain other separators of lines."""

    def __init__(self, operation: str) -> None:
        self._operation = operation
        self._rest = b""

    def of(self, part: bytes) -> list[bytes]:
        """The lines that end in this part."""
        *lines, self._rest = (self._rest + part).split(b"\n")
        if len(self._rest) > LONGEST_BODY:
            raise ConnectionFailed(f"{self._operation}: a line of the answer is too long")
        return [line for line in lines if line]

    def end(self) -> None:
        """Fails if the last line has no end: then the answer broke off."""
        if self._rest:
            raise Failed(ConnectionFailed(f"{self._operation}: the answer broke off"))


def unreachable(request: Request, cause: Exception, is_late: bool) -> Failed:
    """An attempt without an answer."""
    text = "the service takes too long" if is_late else "the service cannot be reached, or its answer cannot be read"
    failure = Failed(ConnectionFailed(f"{request.operation}: {text}"))
    failure.__cause__ = cause
    return failure


def parsed(content: bytes) -> Any:
    """JSON, or None: a proxy in between may answer with something else."""
    try:
        return read(content)
    except ValueError:
        return None


def read(content: bytes) -> Any:
    """Reads JSON. A number that is no integer is a Decimal, which keeps its digits."""
    return simplejson.loads(content, use_decimal=True)


def written(operation: str, body: Any) -> bytes:
    """Writes JSON."""
    try:
        return simplejson.dumps(body, ensure_ascii=False, allow_nan=False, use_decimal=True).encode()
    except ValueError as error:
        raise ContactHubError(f"{operation}: the body cannot be written as JSON: {error}") from error


def fill_path(template: str, values: Mapping[str, str]) -> str:
    """Puts the parameters into the path: each is one segment, whatever it contains."""
    for name, value in values.items():
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise ContactHubError(f"the path parameter {name} must be a text that is not empty")
        template = template.replace("{" + name + "}", quote(value, safe=""))
    return template


def write_query(values: Mapping[str, Any]) -> str:
    """The query: a list repeats its name, and an object has its keys in brackets."""
    pairs: list[tuple[str, str]] = []

    def add(name: str, value: Any) -> None:
        if isinstance(value, Mapping):
            for key, item in value.items():
                add(f"{name}[{key}]", item)
        elif isinstance(value, list | tuple):
            pairs.extend((name, str(item)) for item in value)
        elif value is not None:
            pairs.append((name, str(value).lower() if isinstance(value, bool) else str(value)))

    for name, value in values.items():
        add(name, value)
    return "?" + urlencode(pairs) if pairs else ""


def first_page(name: str, query: Mapping[str, Any] | None) -> dict[str, Any]:
    """The query of the first page of a list. Contacts are read by cursors, so that each is met once."""
    beginning = {"page[after]": ""} if name == "list_contacts" else {}
    return {**beginning, **(query or {})}


def next_page(query: Mapping[str, Any], meta: Any) -> dict[str, Any] | None:
    """The query of the next page, or None at the end."""
    if not isinstance(meta, Mapping):
        return None
    if "next" in meta:
        return {**query, "page[after]": meta["next"]} if meta["next"] else None
    current, last = meta.get("current_page", 1), meta.get("last_page") or 1
    return {**query, "page[number]": current + 1} if current < last else None
