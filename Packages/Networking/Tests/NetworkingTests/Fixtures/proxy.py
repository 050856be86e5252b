# SPDX-License-Identifier: MIT
"""A proxy for HTTP on 127.0.0.1 that leads everything to this machine, and tells what it was asked.

usage: proxy.py [--user NAME:PASSWORD] [--answer STATUS] [--stall] [--close] [--tls CERTIFICATE KEY]
                [--log FILE]

It prints its port, and writes a line for each request: method, target, and whether an Authorization header came along.
With --user it answers 407 to who does not name it; with --answer it answers that to all; with --stall it never answers;
with --close it closes instead. It ends when its standard input does.
"""

import argparse
import asyncio
import base64
import ssl
import sys
import urllib.parse

parser = argparse.ArgumentParser()
parser.add_argument("--user")
parser.add_argument("--answer", type=int)
parser.add_argument("--stall", action="store_true")
parser.add_argument("--close", action="store_true")
parser.add_argument("--tls", nargs=2)
parser.add_argument("--log", default="/dev/null")
options = parser.parse_args()


async def copy(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except (OSError, NotImplementedError):
        writer.close()


def refusal(fields):
    if options.answer:
        return options.answer
    wanted = options.user and "Basic " + base64.b64encode(options.user.encode()).decode()
    return 407 if wanted and fields.get("proxy-authorization") != wanted else None


async def serve(reader, writer):
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except (OSError, asyncio.IncompleteReadError):
        return writer.close()
    lines = head.split("\r\n")
    method, target, _ = lines[0].split(" ")
    fields = {line.split(":", 1)[0].lower(): line.split(":", 1)[1].strip() for line in lines[1:] if ":" in line}
    with open(options.log, "a", encoding="utf-8") as log:
        print(method, target, "authorization" in fields, file=log)
    if options.stall:
        return await asyncio.sleep(3600)
    status = refusal(fields)
    if status:
        writer.write(f"HTTP/1.1 {status} No\r\nProxy-Authenticate: Basic realm=x\r\n"
                     "Content-Length: 6\r\nConnection: close\r\n\r\nrefuse".encode())
        await writer.drain()
    if status or options.close:
        return writer.close()
    port = int(target.rsplit(":", 1)[1]) if method == "CONNECT" else urllib.parse.urlsplit(target).port
    server_reader, server_writer = await asyncio.open_connection("127.0.0.1", port)
    if method == "CONNECT":
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
    else:
        path = urllib.parse.urlsplit(target).path
        kept = [line for line in lines[1:-2] if not line.lower().startswith("proxy-")]
        server_writer.write("\r\n".join([f"{method} {path} HTTP/1.1", *kept, "", ""]).encode("latin-1"))
    await asyncio.gather(copy(reader, server_writer), copy(server_reader, writer))
    writer.close()
    server_writer.close()


async def main():
    context = None
    if options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options.tls)
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
