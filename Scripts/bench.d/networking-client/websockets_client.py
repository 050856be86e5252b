# SPDX-License-Identifier: MIT
"""The PyPI package `websockets` as a client, as a peer of ours: sends a message and waits for its echo.

usage: websockets_client.py URL BYTES COUNT
"""

import asyncio
import json
import resource
import sys
import time

from websockets.asyncio.client import connect


async def main(url, size, count):
    message = b"\7" * size
    latencies = []
    async with connect(url, max_size=None, compression=None, proxy=None) as connection:
        async def round_trip():
            await connection.send(message)
            assert len(await connection.recv()) == size

        for _ in range(min(200, count // 5)):
            await round_trip()
        processor, start = time.process_time(), time.perf_counter()
        for _ in range(count):
            began = time.perf_counter()
            await round_trip()
            latencies.append(time.perf_counter() - began)
        wall, processor = time.perf_counter() - start, time.process_time() - processor
    latencies.sort()
    print(json.dumps({
        "per_second": count / wall, "p50_us": latencies[count // 2] * 1e6,
        "p99_us": latencies[min(count - 1, count * 99 // 100)] * 1e6, "cpu_us": processor / count * 1e6,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
