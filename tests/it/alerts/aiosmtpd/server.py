"""An SMTP server for a test: python server.py <certificate> <key> <user> <password>.

It prints its port, and each email as one line of JSON. It requires STARTTLS and the user, and ends with its standard input.
"""

import asyncio
import email.policy
import json
import ssl
import sys

from aiosmtpd.controller import UnthreadedController
from aiosmtpd.smtp import AuthResult, LoginPassword


class Printing:
    """Prints the emails, as a library reads them."""

    async def handle_DATA(self, _server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        parts = {part.get_content_type(): part.get_content() for part in message.iter_parts()}
        defects = [str(defect) for part in message.walk() for defect in part.defects]
        shown = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "tls": session.ssl is not None,
            "subject": message["Subject"],
            "type": message.get_content_type(),
            "id": message["Message-ID"],
            "date": message["Date"] is not None,
            "parts": parts,
            "defects": defects,
        }
        print(json.dumps(shown), flush=True)
        return "250 2.0.0 taken"


def main(certificate, key, user, password):
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)

    def authenticate(_server, _session, _envelope, _mechanism, data):
        wanted = LoginPassword(user.encode(), password.encode())
        return AuthResult(success=data == wanted)

    loop = asyncio.new_event_loop()
    controller = UnthreadedController(
        Printing(),
        hostname="127.0.0.1",
        port=0,
        loop=loop,
        tls_context=context,
        require_starttls=True,
        auth_required=True,
        authenticator=authenticate,
    )
    controller.begin()
    print("port", controller.server.sockets[0].getsockname()[1], flush=True)
    loop.run_until_complete(loop.run_in_executor(None, sys.stdin.read))
    controller.end()


main(*sys.argv[1:])
