"""The asynchronous client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar, cast

import httpx
import simplejson

from . import types
from ._client import EXPORT
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
from ._operations import AsyncOperations, ExportContactsQuery, ListChangesQuery
from ._retry import Retries

Item = TypeVar("Item")
Given = ParamSpec("Given")


class AsyncContactHub(AsyncOperations):
    """An asynchronous client of one service with one API key. Close it, or use it in an `async with` block."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 60.0,
        retries: Retries = Retries(),
        on_deprecated: Deprecated | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """`timeout` is how many seconds one attempt may take; for an export, the longest pause between two parts.

        The time for which the service may hold a call of the feed of changes is added.
        """
        self._settings = Settings(base_url, api_key, retries, on_deprecated)
        self._timeout = timeout
        # A redirect is not followed, so that the key is sent to no other address.
        self._http = httpx.AsyncClient(timeout=timeout, follow_redirects=False, transport=transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def iterate(
        self,
        operation: Callable[Given, Awaitable[Reply[list[Item], Any]]],
        *arguments: Given.args,
        **options: Given.kwargs,
    ) -> AsyncIterator[Item]:
        """The items of a list, page by page, until its end: `hub.iterate(hub.list_contacts, query={...})`."""
        call = cast(Callable[..., Awaitable[Reply[list[Item], Any]]], operation)
        given = {**options}
        query: dict[str, Any] | None = first_page(operation.__name__, cast(Any, given.pop("query", None)))
        while query is not None:
            page = await call(*arguments, query=query, **given)
            for item in page.data:
                yield item
            query = next_page(query, page.meta)

    async def changes(
        self, query: ListChangesQuery | None = None
    ) -> AsyncIterator[Reply[list[types.Change], types.Next]]:
        """The feed of changes, page by page, without an end: it waits for what is new.

        Store `meta["next"]` of a page once its entries are processed, and begin there the next time. An error 410
        `CURSOR_EXPIRED` means that a copy has to be made from a new export.
        """
        following: ListChangesQuery = {"wait": 25, **(query or {})}
        while True:
            page = await self.list_changes(query=following)
            following["after"] = page.meta["next"]
            if page.data:
                yield page

    async def export(self, query: ExportContactsQuery | None = None) -> AsyncIterator[types.ExportedContact]:
        """All contacts with their values. An export that breaks off goes on after the last contact that arrived."""
        following: ExportContactsQuery = {**(query or {})}
        failed = 0
        while True:
            request = self._settings.request(EXPORT, query=following, accept="application/x-ndjson")
            try:
                async for contact in self._exported(request):
                    following["page[after]"] = contact["_cursor"]
                    failed = 0
                    yield contact
                return
            except Failed as failure:
                failed += 1
                wait = self._settings.pause(failed, failure)
            await asyncio.sleep(wait)

    async def _exported(self, request: Request) -> AsyncIterator[types.ExportedContact]:
        try:
            async with self._http.stream(request.method, request.url, headers=request.headers) as response:
                self._settings.warn(request, response.headers)
                if response.status_code != 200:
                    async with asyncio.timeout(self._timeout):
                        content = await _content(request, response)
                    raise refusal(response.status_code, response.headers, content)
                lines = Lines(request.operation)
                async for part in response.aiter_bytes():
                    for line in lines.of(part):
                        yield read(line)
                lines.end()
        except (httpx.RequestError, simplejson.JSONDecodeError, TimeoutError) as error:
            raise unreachable(request, error, _is_late(error)) from error

    async def _call(self, operation: Operation, **given: Any) -> Reply[Any, Any]:
        request = self._settings.request(operation, **given)
        failed = 0
        while True:
            try:
                return reply(*await self._send(request))
            except Failed as failure:
                failed += 1
                wait = self._settings.pause(failed, failure)
            await asyncio.sleep(wait)

    async def _send(self, request: Request) -> tuple[int, httpx.Headers, bytes]:
        """One attempt."""
        longest = self._timeout + request.held
        sent = {"headers": request.headers, "content": request.content}
        timeout = httpx.Timeout(self._timeout, read=longest)
        try:
            async with asyncio.timeout(longest):
                async with self._http.stream(request.method, request.url, timeout=timeout, **cast(Any, sent)) as response:
                    self._settings.warn(request, response.headers)
                    return response.status_code, response.headers, await _content(request, response)
        except (httpx.RequestError, TimeoutError) as error:
            raise unreachable(request, error, _is_late(error)) from error


async def _content(request: Request, response: httpx.Response) -> bytes:
    """The body of an answer."""
    content = bytearray()
    async for part in response.aiter_bytes():
        content += part
        if len(content) > LONGEST_BODY:
            raise ConnectionFailed(f"{request.operation}: the answer is too long")
    return bytes(content)


def _is_late(error: Exception) -> bool:
    return isinstance(error, httpx.TimeoutException | TimeoutError)
