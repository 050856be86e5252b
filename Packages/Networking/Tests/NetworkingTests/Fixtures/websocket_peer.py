# SPDX-License-Identifier: MIT
"""A WebSocket server by the PyPI package `websockets`, an implementation that is not ours.

usage: websocket_peer.py [CERTIFICATE KEY]

Prints its port on the first line and serves until its standard input ends. What it does depends on the path.
"""

import asyncio
import ssl
import sys
import urllib.parse

from websockets.asyncio.server import serve

LIMIT = 64 << 20


async def handle(connection):
    url = urllib.parse.urlsplit(connection.request.path)
    query = dict(urllib.parse.parse_qsl(url.query))
    if url.path == "/echo":
        async for message in connection:
            await connection.send(message)
    elif url.path == "/fragments":
        # Every message comes back in pieces of so many characters or bytes, with a ping between.
        size = int(query["size"])

        async def pieces(message):
            for start in range(0, len(message), size):
                await connection.ping()
                yield message[start:start + size]

        async for message in connection:
            await connection.send(pieces(message))
    elif url.path == "/close":
        await connection.close(int(query["code"]), query.get("reason", ""))
    elif url.path == "/abort":
        await connection.recv()
        connection.transport.abort()
    elif url.path == "/push":
        is_held = False
        for number in range(int(query["count"])):
            sending = asyncio.create_task(connection.send(f"{number} " + "x" * int(query.get("size", "0"))))
            done, _ = await asyncio.wait({sending}, timeout=None if is_held else 0.5)
            if not done:
                is_held = True
                print(number, flush=True)
            await sending
        if not is_held:
            print(query["count"], flush=True)
    elif url.path == "/memory":
        # Says how long a message was, or sends one of so many bytes.
        async for message in connection:
            wanted = message.split() if isinstance(message, str) else []
            kind = {"bytes": b"x", "text": "x"}.get(wanted[0]) if wanted else None
            await connection.send(kind * int(wanted[1]) if kind else str(len(message)))
    elif url.path == "/headers":
        await connection.send(repr(sorted(connection.request.headers.raw_items())))
        await connection.wait_closed()


def choose(connection, offered):
    return next((name for name in ("chat.v2", "chat.v1") if name in offered), None)


async def main():
    context = None
    if len(sys.argv) == 3:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
    # A client that waits for a processor may take longer than the ten seconds that a handshake has by default.
    async with serve(handle, "127.0.0.1", 0, max_size=LIMIT, subprotocols=["chat.v2", "chat.v1"],
                     select_subprotocol=choose, ssl=context, compression=None, open_timeout=None) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        reader = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        await reader.read()


asyncio.run(main())
