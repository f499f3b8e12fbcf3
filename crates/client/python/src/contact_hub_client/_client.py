"""The client."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar, cast

import httpx
import simplejson

from . import types
from ._core import (
    LONGEST_BODY,
    Deprecated,
    Failed,
    Lines,
    Operation,
    Reply,
    Request,
    Settings,
    first_page,
    next_page,
    read,
    refusal,
    reply,
    unreachable,
)
from ._errors import ConnectionFailed
from ._operations import ExportContactsQuery, ListChangesQuery, Operations
from ._retry import Retries

Item = TypeVar("Item")
Given = ParamSpec("Given")

EXPORT = Operation("exportContacts", "GET", "/api/public/v1/contacts/export", False)


class ContactHub(Operations):
    """A client of one service with one API key. Close it, or use it in a `with` block."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 60.0,
        retries: Retries = Retries(),
        on_deprecated: Deprecated | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """`timeout` is how many seconds one attempt may take; for an export, the longest pause between two parts.

        The time for which the service may hold a call of the feed of changes is added.
        """
        self._settings = Settings(base_url, api_key, retries, on_deprecated)
        self._timeout = timeout
        # A redirect is not followed, so that the key is sent to no other address.
        self._http = httpx.Client(timeout=timeout, follow_redirects=False, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def iterate(
        self,
        operation: Callable[Given, Reply[list[Item], Any]],
        *arguments: Given.args,
        **options: Given.kwargs,
    ) -> Iterator[Item]:
        """The items of a list, page by page, until its end: `hub.iterate(hub.list_contacts, query={...})`."""
        call = cast(Callable[..., Reply[list[Item], Any]], operation)
        given = {**options}
        query: dict[str, Any] | None = first_page(operation.__name__, cast(Any, given.pop("query", None)))
        while query is not None:
            page = call(*arguments, query=query, **given)
            yield from page.data
            query = next_page(query, page.meta)

    def changes(self, query: ListChangesQuery | None = None) -> Iterator[Reply[list[types.Change], types.Next]]:
        """The feed of changes, page by page, without an end: it waits for what is new.

        Store `meta["next"]` of a page once its entries are processed, and begin there the next time. An error 410
        `CURSOR_EXPIRED` means that a copy has to be made from a new export.
        """
        following: ListChangesQuery = {"wait": 25, **(query or {})}
        while True:
            page = self.list_changes(query=following)
            following["after"] = page.meta["next"]
            if page.data:
                yield page

    def export(self, query: ExportContactsQuery | None = None) -> Iterator[types.ExportedContact]:
        """All contacts with their values. An export that breaks off goes on after the last contact that arrived."""
        following: ExportContactsQuery = {**(query or {})}
        failed = 0
        while True:
            request = self._settings.request(EXPORT, query=following, accept="application/x-ndjson")
            try:
                for contact in self._exported(request):
                    following["page[after]"] = contact["_cursor"]
                    failed = 0
                    yield contact
                return
            except Failed as failure:
                failed += 1
                wait = self._settings.pause(failed, failure)
            time.sleep(wait)

    def _exported(self, request: Request) -> Iterator[types.ExportedContact]:
        try:
            with self._http.stream(request.method, request.url, headers=request.headers) as response:
                self._settings.warn(request, response.headers)
                if response.status_code != 200:
                    content = _content(request, response, time.monotonic() + self._timeout)
                    raise refusal(response.status_code, response.headers, content)
                lines = Lines(request.operation)
                for part in response.iter_bytes():
                    for line in lines.of(part):
                        yield read(line)
                lines.end()
        except (httpx.RequestError, simplejson.JSONDecodeError) as error:
            raise unreachable(request, error, isinstance(error, httpx.TimeoutException)) from error

    def _call(self, operation: Operation, **given: Any) -> Reply[Any, Any]:
        request = self._settings.request(operation, **given)
        failed = 0
        while True:
            try:
                return reply(*self._send(request))
            except Failed as failure:
                failed += 1
                wait = self._settings.pause(failed, failure)
            time.sleep(wait)

    def _send(self, request: Request) -> tuple[int, httpx.Headers, bytes]:
        """One attempt. The limits of the library are on each read, so the whole is limited here."""
        longest = self._timeout + request.held
        ends = time.monotonic() + longest
        sent = {"headers": request.headers, "content": request.content}
        timeout = httpx.Timeout(self._timeout, read=longest)
        try:
            with self._http.stream(request.method, request.url, timeout=timeout, **cast(Any, sent)) as response:
                self._settings.warn(request, response.headers)
                return response.status_code, response.headers, _content(request, response, ends)
        except httpx.RequestError as error:
            raise unreachable(request, error, isinstance(error, httpx.TimeoutException)) from error


def _content(request: Request, response: httpx.Response, ends: float) -> bytes:
    """The body of an answer."""
    content = bytearray()
    for part in response.iter_bytes():
        content += part
        if time.monotonic() > ends:
            raise httpx.ReadTimeout("the answer takes too long")
        if len(content) > LONGEST_BODY:
            raise ConnectionFailed(f"{request.operation}: the answer is too long")
    return bytes(content)
