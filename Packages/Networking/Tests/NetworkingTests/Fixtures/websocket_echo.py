# SPDX-License-Identifier: MIT
"""A WebSocket server on 127.0.0.1 that sends each short message back. It needs nothing but Python.

usage: websocket_echo.py [CERTIFICATE KEY]

It prints its port, and ends when its standard input does.
"""

import asyncio
import base64
import hashlib
import ssl
import sys


async def serve(reader, writer):
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    key = next(line.split(":", 1)[1].strip() for line in head.split("\r\n")
               if line.lower().startswith("sec-websocket-key:"))
    accept = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
    writer.write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  f"Sec-WebSocket-Accept: {base64.b64encode(accept).decode()}\r\n\r\n").encode())
    opcode = 0
    while opcode != 8:
        first, second = await reader.readexactly(2)
        opcode, length = first & 15, second & 127
        if length == 126:
            length = int.from_bytes(await reader.readexactly(2), "big")
        mask = await reader.readexactly(4)
        payload = bytes(byte ^ mask[index % 4] for index, byte in enumerate(await reader.readexactly(length)))
        size = bytes([length]) if length < 126 else b"\x7e" + length.to_bytes(2, "big")
        writer.write(bytes([first]) + size + payload)
        await writer.drain()
    writer.close()


async def main():
    context = None
    if len(sys.argv) > 1:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*sys.argv[1:3])
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
