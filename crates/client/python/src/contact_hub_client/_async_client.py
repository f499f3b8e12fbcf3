"""The asynchronous client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar, cast

import httpx

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
        """`timeout` is how many seconds one attempt may take; for an export, the longest pause between two parts."""
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
                    raise refusal(response.status_code, response.headers, await response.aread())
                lines = Lines(request.operation)
                async for part in response.aiter_bytes():
                    for line in lines.of(part):
                        yield json.loads(line)
                lines.end()
        except (httpx.TransportError, json.JSONDecodeError) as error:
            raise unreachable(request, error, isinstance(error, httpx.TimeoutException)) from error

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
        content = bytearray()
        sent = {"headers": request.headers, "content": request.content}
        try:
            async with asyncio.timeout(self._timeout):
                async with self._http.stream(request.method, request.url, **cast(Any, sent)) as response:
                    self._settings.warn(request, response.headers)
                    async for part in response.aiter_bytes():
                        content += part
                        if len(content) > LONGEST_BODY:
                            raise ConnectionFailed(f"{request.operation}: the answer is too long")
                    return response.status_code, response.headers, bytes(content)
        except (httpx.TransportError, TimeoutError) as error:
            is_late = isinstance(error, httpx.TimeoutException | TimeoutError)
            raise unreachable(request, error, is_late) from error
