# SPDX-License-Identifier: MIT
"""A SOCKS5 proxy (RFC 1928, 1929) on 127.0.0.1 that leads everything to this machine, and tells what it was asked.

usage: socks_proxy.py [--user NAME:PASSWORD] [--reply NUMBER] [--close METHOD|ADDRESS] [--log FILE]

It prints its port, and writes a line for each request: the host as it was named, and the port. With --user it wants that
name and password; with --reply it answers each request with that number; with --close it closes instead of choosing a
method or of answering. It ends when its standard input does.
"""

import argparse
import asyncio
import ipaddress
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--user")
parser.add_argument("--reply", type=int, default=0)
parser.add_argument("--close")
parser.add_argument("--log", default="/dev/null")
options = parser.parse_args()


async def copy(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.close()


async def counted(reader):
    return await reader.readexactly((await reader.readexactly(1))[0])


async def agree(reader, writer):
    """Chooses a method, and checks the name and password if they are wanted."""
    version, = await reader.readexactly(1)
    methods = await counted(reader)
    if options.close == "method" or version != 5:
        return False
    wanted = 2 if options.user else 0
    if wanted not in methods:
        writer.write(b"\x05\xff")
        return False
    writer.write(bytes([5, wanted]))
    if wanted == 0:
        return True
    await reader.readexactly(1)
    name, password = await counted(reader), await counted(reader)
    is_right = name + b":" + password == options.user.encode()
    writer.write(b"\x01\x00" if is_right else b"\x01\x01")
    return is_right


async def address(reader):
    _, command, _, kind = await reader.readexactly(4)
    assert command == 1
    if kind == 3:
        host = (await counted(reader)).decode()
    else:
        host = str(ipaddress.ip_address(await reader.readexactly(4 if kind == 1 else 16)))
    return host, int.from_bytes(await reader.readexactly(2), "big")


async def lead(reader, writer):
    if not await agree(reader, writer):
        return
    host, port = await address(reader)
    with open(options.log, "a", encoding="utf-8") as log:
        print(host, port, file=log)
    if options.close == "address":
        return
    server_writer = None
    if options.reply == 0:
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(bytes([5, options.reply, 0, 1, 0, 0, 0, 0, 0, 0]))
    if server_writer:
        await asyncio.gather(copy(reader, server_writer), copy(server_reader, writer))
        server_writer.close()


async def serve(reader, writer):
    try:
        await lead(reader, writer)
        await writer.drain()
    except (OSError, asyncio.IncompleteReadError):
        pass
    writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
