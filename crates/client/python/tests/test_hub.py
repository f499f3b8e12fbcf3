"""Against a running hub, whose address and key are HUB and KEY: `cargo xtask clients` starts one."""

from __future__ import annotations

import os
import threading
import time
import traceback
import unittest
from collections.abc import Callable
from decimal import Decimal
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import urlsplit

from contact_hub_client import AnswerError, AsyncContactHub, ContactHub, Retries, types, verify_webhook

HUB, KEY = os.environ.get("HUB", ""), os.environ.get("KEY", "")
RUN = f"py{time.time_ns()}"
QUICK = Retries(first_pause=0.001)


def person(name: str) -> types.ContactInput:
    return {"email": f"{name}@{RUN}.example.com", "first_name": "Ann", "last_name": name}


class Server:
    """A server on a free port that answers with a function."""

    def __init__(self, answer: Callable[[BaseHTTPRequestHandler, bytes], None]) -> None:
        class Handler(BaseHTTPRequestHandler):
            def handle_any(self) -> None:
                answer(self, self.rfile.read(int(self.headers.get("Content-Length", 0))))

            do_GET = do_POST = handle_any

            def log_message(self, *arguments: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *arguments: object) -> None:
        self.server.shutdown()
        self.server.server_close()


class Front(Server):
    """Forwards to the hub; of the first answer only so many bytes arrive."""

    def __init__(self, first: int) -> None:
        self.calls = 0
        self.first = first
        super().__init__(self.forward)

    def forward(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        self.calls += 1
        most = self.first if self.calls == 1 else None
        connection = HTTPConnection(urlsplit(HUB).netloc, timeout=10)
        connection.request(handler.command, handler.path, body, dict(handler.headers))
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        if most != 0:
            handler.send_response(answer.status)
            for name in ("Content-Type", "Idempotent-Replayed"):
                if value := answer.getheader(name):
                    handler.send_header(name, value)
            handler.send_header("Content-Length", str(len(content)))
            handler.end_headers()
            handler.wfile.write(content[:most])
        handler.close_connection = True


@unittest.skipUnless(HUB, "HUB and KEY are not set")
class HubTest(unittest.TestCase):
    def setUp(self) -> None:
        self.hub = ContactHub(HUB, KEY)
        self.addCleanup(self.hub.close)

    def refused(self, status: int, code: str | None, call: Callable[[], object]) -> AnswerError:
        with self.assertRaises(AnswerError) as caught:
            call()
        self.assertEqual((caught.exception.status, caught.exception.code), (status, code))
        return caught.exception

    def test_a_contact_is_created_read_changed_and_deleted(self) -> None:
        hub, created = self.hub, self.hub.create_contact(person("one"))
        self.assertEqual(created.status, 201)
        id = created.data["id"]
        read = hub.read_contact(id)
        self.assertEqual(read.data["field_values"], [])
        self.assertEqual(hub.read_contact(id, if_none_match=read.etag).status, 304)
        changed = hub.change_contact(id, {"last_name": "Li"}, if_match=read.etag)
        self.assertEqual(changed.data["last_name"], "Li")
        self.refused(412, "PRECONDITION_FAILED", lambda: hub.delete_contact(id, if_match=read.etag))
        self.assertEqual(hub.delete_contact(id).status, 204)
        self.refused(404, "CONTACT_NOT_FOUND", lambda: hub.read_contact(id))

    def test_the_number_of_a_contact_is_written_as_it_is_read(self) -> None:
        key = self.hub.create_field({"name": f"Exact {RUN}", "type": "number"}).data["key"]
        for number in (Decimal("0.12345678901234567890123"), Decimal("1e400"), 9007199254740993, Decimal("12.50")):
            body: types.ContactInput = {**person(f"exact{number}"), "field_values": {key: number}}
            id = self.hub.create_contact(body).data["id"]
            read = self.hub.read_contact(id).data["field_values"][0]["value"]
            self.assertEqual(read, number)
            again = self.hub.replace_field_values(id, {"field_values": {key: read}})
            self.assertEqual(str(again.data[0]["value"]), str(number))

    def test_a_body_that_is_optional_can_be_left_out(self) -> None:
        hook = self.hub.create_webhook({"name": "Hook", "url": "https://example.com/", "events": ["syncRequested"]})
        rotated = self.hub.rotate_secret(hook.data["id"])
        again = self.hub.rotate_secret(hook.data["id"], {"grace_seconds": 0})
        self.assertNotEqual(again.data["secret"], rotated.data["secret"])
        self.hub.delete_webhook(hook.data["id"])

    def test_what_is_invalid_is_named_by_field(self) -> None:
        body: types.ContactInput = {"email": "no address", "first_name": "", "last_name": "Lee"}
        error = self.refused(422, None, lambda: self.hub.create_contact(body))
        self.assertEqual(sorted(error.invalid), ["email", "first_name"])
        self.assertTrue(error.request_id)

    def test_no_error_contains_the_key(self) -> None:
        with ContactHub(HUB, "hub_secret") as hub:
            error = self.refused(401, "UNAUTHENTICATED", hub.list_fields)
            shown = "".join(traceback.format_exception(error)) + repr((vars(error), vars(hub)))
            self.assertNotIn("hub_secret", shown)

    def test_lists_are_read_to_their_end(self) -> None:
        contacts = [person(f"list{n}") for n in range(23)]
        self.hub.upsert_contacts({"contacts": contacts})
        search, wanted = f"@{RUN}.example", sorted((it["email"] for it in contacts), reverse=True)
        listed = self.hub.iterate(
            self.hub.list_contacts, query={"search": search, "page[size]": 5, "sort[]": ["-email"]}
        )
        self.assertEqual([it["email"] for it in listed if it["email"].startswith("list")], wanted)
        exported = [it["email"] for it in self.hub.export({"search": search}) if it["email"].startswith("list")]
        self.assertEqual(sorted(exported, reverse=True), wanted)
        for n in range(3):
            self.hub.create_integration({"name": f"{RUN} {n}", "asset_types": ["email"], "merge_tag_format": "braze"})
        names = [it["name"] for it in self.hub.iterate(self.hub.list_integrations, query={"page[size]": 1})]
        self.assertEqual(sum(name.startswith(RUN) for name in names), 3)

    def test_the_feed_gives_what_changed(self) -> None:
        since = self.hub.list_changes(query={"page[size]": 1000}).meta["next"]
        made = self.hub.create_contact(person("feed")).data["id"]
        for page in self.hub.changes({"after": since}):
            if ("contact.created", made) in [(it["type"], it["object_id"]) for it in page.data]:
                break

    def test_a_call_whose_answer_is_lost_is_repeated_and_done_once(self) -> None:
        with Front(0) as front, ContactHub(front.base, KEY, retries=QUICK) as hub:
            created = hub.create_contact(person("lost"))
            replayed = created.headers.get("Idempotent-Replayed")
            self.assertEqual((created.status, replayed, front.calls), (201, "true", 2))

    def test_an_export_that_breaks_off_goes_on(self) -> None:
        contacts = [person(f"export{n}") for n in range(300)]
        self.hub.upsert_contacts({"contacts": contacts})
        with Front(20_001) as front, ContactHub(front.base, KEY, retries=QUICK) as hub:
            exported = [it["email"] for it in hub.export({"search": f"@{RUN}.example"})]
            self.assertEqual(front.calls, 2)
        wanted = sorted(it["email"] for it in contacts)
        self.assertEqual(sorted(it for it in exported if it.startswith("export")), wanted)

    def test_a_delivery_is_verified(self) -> None:
        events: list[Any] = []

        def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
            events.append(verify_webhook(body, dict(handler.headers), secrets))
            handler.send_response(202)
            handler.end_headers()

        secrets: list[str] = []
        with Server(answer) as receiver:
            webhook = self.hub.create_webhook({"name": RUN, "url": receiver.base, "events": ["syncRequested"]}).data
            secrets.append(webhook["secret"])
            self.assertEqual(self.hub.test_webhook(webhook["id"]).data["status_code"], 202)
            self.assertEqual([it["webhook_id"] for it in events], [webhook["id"]])
            self.hub.delete_webhook(webhook["id"])


@unittest.skipUnless(HUB, "HUB and KEY are not set")
class AsyncHubTest(unittest.IsolatedAsyncioTestCase):
    async def test_calls_lists_exports_and_the_feed(self) -> None:
        async with AsyncContactHub(HUB, KEY) as hub:
            since = (await hub.list_changes(query={"page[size]": 1000})).meta["next"]
            contacts = [person(f"async{n}") for n in range(12)]
            self.assertEqual((await hub.upsert_contacts({"contacts": contacts})).data["created"], 12)
            wanted = sorted(it["email"] for it in contacts)
            search = f"async@{RUN}"[5:]
            listed = hub.iterate(hub.list_contacts, query={"search": search, "page[size]": 5})
            emails = [it["email"] async for it in listed]
            self.assertEqual(sorted(it for it in emails if it.startswith("async")), wanted)
            exported = [it["email"] async for it in hub.export({"search": search})]
            self.assertEqual(sorted(it for it in exported if it.startswith("async")), wanted)
            async for page in hub.changes({"after": since}):
                self.assertEqual(page.data[0]["type"], "contact.created")
                break
            with self.assertRaises(AnswerError):
                await hub.read_contact("unknown")

    async def test_what_breaks_off_is_repeated(self) -> None:
        with Front(0) as front:
            async with AsyncContactHub(front.base, KEY, retries=QUICK) as hub:
                created = await hub.create_contact(person("async-lost"))
                self.assertEqual((created.status, front.calls), (201, 2))
        with Front(1_001) as front:
            async with AsyncContactHub(front.base, KEY, retries=QUICK) as hub:
                exported = [it["id"] async for it in hub.export({"search": f"@{RUN}.example"})]
                self.assertEqual(len(exported), len(set(exported)))
                self.assertEqual(front.calls, 2)
