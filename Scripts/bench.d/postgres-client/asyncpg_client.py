# SPDX-License-Identifier: MIT
"""The measurements of postgres-client with asyncpg. usage: asyncpg_client.py SOCKET_FOLDER MEASUREMENT COUNT"""

import asyncio
import sys
import time

import asyncpg

SELECT = "SELECT id, body FROM item WHERE id = $1"
INSERT = "INSERT INTO note (id, body) VALUES ($1, $2)"


async def statement(connection, is_select, number):
    if is_select:
        row = await connection.fetchrow(SELECT, abs(number) % 1_000)
        assert (row["id"], row["body"])[0] == abs(number) % 1_000
    else:
        assert await connection.execute(INSERT, number, "a body of a few words") == "INSERT 0 1"


async def transaction(pool, is_select, number):
    async with pool.acquire() as connection:
        kind = dict(isolation="repeatable_read", readonly=True) if is_select else dict(isolation="read_committed")
        async with connection.transaction(**kind):
            await statement(connection, is_select, number)


async def main(folder, measurement, count):
    is_select = measurement.startswith("select")
    tasks = 8 if measurement.endswith("-8") else 1
    async with asyncpg.create_pool(host=folder, user="postgres", database="bench", min_size=tasks, max_size=8) as pool:
        if "transaction" not in measurement:
            async with pool.acquire() as connection:
                change = connection.transaction()
                await change.start()
                await statement(connection, is_select, -1)
                start = time.monotonic()
                for number in range(count):
                    await statement(connection, is_select, number)
                end = time.monotonic()
                await change.rollback()
        else:
            async def work(task):
                for number in range(task, count, tasks):
                    await transaction(pool, is_select, number)
            await asyncio.gather(*(transaction(pool, is_select, -1 - task) for task in range(tasks)))
            start = time.monotonic()
            await asyncio.gather(*(work(task) for task in range(tasks)))
            end = time.monotonic()
    print(count / (end - start))


asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
