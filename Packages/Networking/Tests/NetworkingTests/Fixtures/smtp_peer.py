# SPDX-License-Identifier: MIT
"""A mail server that prints its port, then each message that it takes as a line of JSON.

usage: smtp_peer.py plain|starttls|tls [--certificate FILE --key FILE] [--auth] [--refuse CODE] [--hang]
"""

import argparse
import asyncio
import base64
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult


class Handler:
    def __init__(self, options):
        self.options = options

    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        if self.options.refuse:
            return f"{self.options.refuse} refused by the test"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if self.options.hang:
            await asyncio.sleep(3600)
        print(json.dumps({
            "from": envelope.mail_from, "to": envelope.rcpt_tos, "tls": session.ssl is not None or self.options.mode == "tls",
            "user": session.auth_data.login.decode() if session.auth_data else None, "helo": session.host_name,
            "content": base64.b64encode(envelope.original_content).decode(),
        }), flush=True)
        return "250 OK"


def authenticate(server, session, envelope, mechanism, data):
    is_right = data.login == b"parley" and data.password == b"a secret with spaces"
    return AuthResult(success=is_right, handled=False, auth_data=data if is_right else None)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", choices=["plain", "starttls", "tls"])
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    parser.add_argument("--auth", action="store_true")
    parser.add_argument("--refuse")
    parser.add_argument("--hang", action="store_true")
    options = parser.parse_args()
    context = None
    if options.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificate, options.key)
    is_start = options.mode == "starttls"

    def factory():
        return SMTP(
            Handler(options), hostname="test", tls_context=context if is_start else None, require_starttls=is_start,
            auth_required=options.auth, auth_require_tls=is_start, authenticator=authenticate if options.auth else None)

    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        factory, "127.0.0.1", 0, ssl=context if options.mode == "tls" else None)
    print(server.sockets[0].getsockname()[1], flush=True)
    # The test holds the other end of standard input; when it is gone, so is the need for this.
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


asyncio.run(main())
