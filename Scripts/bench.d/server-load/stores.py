# SPDX-License-Identifier: MIT
"""The loads of Scripts/bench server by kind of store and number of instances, and a table with millions of results."""

import base64
import concurrent.futures
import contextlib
import hashlib
import http.client
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(os.environ["PARLEY_ROOT"])
sys.path.insert(0, str(ROOT / "Scripts" / "soak.d"))

from server_processes import BUCKET, BUCKET_KEY, MOTO, Postgres, bucket  # noqa: E402

from servers import Mails, parley_server  # noqa: E402

SOUND = 60_000
METADATA = {"cue": "11111111-2222-4333-8444-555555555555", "created_at": "2026-01-31T12:00:00.000Z", "duration": "3",
            "format": "flac", "sample_rate": "16000", "sha256": hashlib.sha256(bytes(SOUND)).hexdigest()}
# (the kind of store, the number of instances)
CANDIDATES = [("sqlite", 1), ("postgres", 1), ("postgres", 2), ("postgres", 3)]
PYTHON = ROOT / ".venv-peers" / "bin" / "python"
CONNECTIONS = 12  # a multiple of each number of instances


@contextlib.contextmanager
def servers(folder, store, count, options):
    """Instances of one server; each answers for itself, without a proxy before them."""
    with contextlib.ExitStack() as stack:
        home = folder / f"{store}-{count}"
        home.mkdir()
        arguments, database = [], None
        if store in ("postgres", "bucket"):
            database = Postgres(str(home / "cluster"), fsync=True)
            stack.callback(database.stop)
            key = home / "root-key"
            key.write_text(os.urandom(32).hex(), encoding="ascii")
            key.chmod(0o600)
            arguments = ["--database", database.url, "--key-file", key]
        if store == "bucket":
            moto = subprocess.Popen([PYTHON, "-c", MOTO, BUCKET], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                    stderr=subprocess.DEVNULL, text=True)
            stack.callback(moto.wait)
            stack.callback(moto.terminate)
            options = options | BUCKET_KEY | {"BENCH_BUCKET": moto.stdout.readline().strip()}
            arguments += ["--objects", bucket(options["BENCH_BUCKET"])]
        environment = {"PARLEY_SERVER_ACCOUNT_CALLS_PER_MINUTE": "0"} | options
        running = []
        for number in range(count):
            place = home / f"home-{number}"
            place.mkdir(mode=0o700)
            if number:
                # One folder of mails for all.
                (place / "mail").symlink_to(home / "home-0" / "mail")
            running.append(stack.enter_context(parley_server(
                home, "--public", "http://127.0.0.1:1", *arguments, home=f"home-{number}", environment=environment)))
        yield running, options.get("BENCH_BUCKET") if store == "bucket" else database


def at_once(runs):
    """Runs at the same time: their sum, and the slowest of them."""
    with concurrent.futures.ThreadPoolExecutor(len(runs)) as pool:
        figures = [run.result() for run in [pool.submit(run) for run in runs]]
    total = sum(one["per_second"] for one in figures)
    return {"per_second": total, "p50_us": sum(one["p50_us"] * one["per_second"] for one in figures) / total,
            "p99_us": max(one["p99_us"] for one in figures)}


def measure(wrk, folder, store, count, number, seconds):
    """One round: the figures by load, and the memory of a connection."""
    figures = {}
    with servers(folder, store, count, {}) as (running, address):
        mails, each = Mails(running[0]), CONNECTIONS // count
        sessions = mails.sessions(f"{store}{count}r{number}-{person}@example.org" for person in range(CONNECTIONS))

        def load(name, script, *arguments, share=None):
            runs = []
            for index, server in enumerate(running):
                work = folder / f"{store}-{count}" / f"{name}-{index}"
                work.mkdir()
                if share:
                    (work / "lines").write_text("\n".join(share[index * each:(index + 1) * each]) + "\n", encoding="utf-8")
                texts = [str(work / "lines") if text == "LINES" else str(index) if text == "SEED" else text
                         for text in arguments]
                runs.append(lambda server=server, work=work, texts=texts: wrk(
                    work, server.address, script, each, each, seconds, *texts))
            figures[name] = at_once(runs)

        access = [session["access_token"] for session in sessions]
        if store != "bucket":
            load("pages of cues", "pages.lua", "LINES", "/cues?limit=50", share=access)
        metadata = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in METADATA.items())
        load("uploads of 60 kB", "upload.lua", "LINES", metadata, str(SOUND), "SEED", share=access)
        # Two requests are one sound.
        figures["uploads of 60 kB"]["per_second"] /= 2
        if store == "bucket":
            figures["puts of 60 kB"] = puts(address, seconds)
            return figures
        load("refreshes", "refresh.lua", "LINES", share=[session["refresh_token"] for session in sessions])
        wanted = int(figures["refreshes"]["per_second"] * seconds * 1.2) + 500
        codes = mails.codes([f"{store}{count}v{number}-{person}@example.org" for person in range(wanted)])
        size = (len(codes) + count - 1) // count
        runs = []
        for index, server in enumerate(running):
            work = folder / f"{store}-{count}" / f"verify-{index}"
            work.mkdir()
            (work / "codes").write_text("\n".join(codes[index * size:(index + 1) * size]) + "\n", encoding="utf-8")
            runs.append(lambda server=server, work=work: wrk(
                work, server.address, "verify.lua", each, each, seconds, work / "codes", each))
        figures["sign-ins"] = at_once(runs)
    return figures


PUTS = """
import json, sys, threading, time, boto3
address, bucket, size, width, seconds = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:5]), float(sys.argv[5])
clients = [boto3.client("s3", region_name="us-east-1", endpoint_url=address, aws_access_key_id="soak", aws_secret_access_key="soak")
           for _ in range(width)]
times, end = [], time.monotonic() + seconds
def work(index):
    client, number = clients[index], 0
    while (begin := time.monotonic()) < end:
        client.put_object(Bucket=bucket, Key=f"bench/{index}/{number}", Body=bytes(size))
        times.append(time.monotonic() - begin)
        number += 1
threads = [threading.Thread(target=work, args=(index,)) for index in range(width)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
times.sort()
print(json.dumps({"per_second": len(times) / seconds, "p50_us": times[len(times) // 2] * 1e6, "p99_us": times[len(times) * 99 // 100] * 1e6}))
"""


def puts(address, seconds):
    """Amazon's client, which puts sounds into the same bucket: what the bucket itself can take."""
    run = subprocess.run([PYTHON, "-c", PUTS, address, BUCKET, str(SOUND), str(CONNECTIONS), str(seconds)],
                         stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(run.stdout)


# Results as a year of practice leaves them: spread over accounts in turn, so that the rows of an account are not neighbours.
FILL = """
INSERT INTO practice_result (account, id, cue, cue_text, language, recording, practised_at, day, rating, evaluation, size)
SELECT account, gen_random_uuid()::text, cue, 'What would you like to drink?', 'en', NULL,
    1767225600000 + n::bigint * 40000, 20454 + n / 2160, 1 + n % 4, NULL, 400
FROM (SELECT n, (SELECT ids[1 + n % cardinality(ids)]) AS account,
        '11111111-2222-4333-8444-' || lpad((n % 500)::text, 12, '0') AS cue
    FROM generate_series({first}, {last}) AS n, (SELECT array_agg(id ORDER BY id) AS ids FROM account) AS people) AS rows;
"""
FILL_END = """
INSERT INTO practice_change (account, id, number, is_deleted)
SELECT account, id, row_number() OVER (PARTITION BY account ORDER BY practised_at, id), 0 FROM practice_result;
INSERT INTO practice_account (account, last_change, results, bytes)
SELECT account, count(*), count(*), sum(size) FROM practice_result GROUP BY account
ON CONFLICT (account) DO UPDATE SET last_change = excluded.last_change, results = excluded.results, bytes = excluded.bytes;
"""
PEOPLE = """
INSERT INTO account (id, address, created_at, confirmed_at)
SELECT gen_random_uuid()::text, 'filled-' || n || '@example.org', 1767225600000, 1767225600000
FROM generate_series(1, {count}) AS n;
"""


def fill(database, accounts, results, step=1_000_000):
    """Adds accounts and so many results of all accounts."""
    database.query(PEOPLE.format(count=accounts))
    for first in range(0, results, step):
        database.query(FILL.format(first=first, last=min(first + step, results) - 1))
        print(f"server: {min(first + step, results)} results are there", file=sys.stderr)
    database.query(FILL_END)
    database.query("VACUUM ANALYZE")


def pages_of_results(wrk, folder, accounts, results, seconds, readers=50):
    """The figures of pages of results that people read, who have a thousand each, in a database of so many results."""
    name = f"filled-{results}"
    place = folder / name
    place.mkdir()
    with servers(place, "postgres", 1, {}) as (running, database):
        mails = Mails(running[0])
        sessions = mails.sessions(f"reader{person}@example.org" for person in range(min(readers, accounts)))
        fill(database, accounts - len(sessions), results)
        (place / "tokens").write_text("\n".join(one["access_token"] for one in sessions) + "\n", encoding="utf-8")
        connection = http.client.HTTPConnection(running[0].host)
        connection.request("GET", "/practice?limit=50", headers={"Authorization": f"Bearer {sessions[0]['access_token']}"})
        answer = json.loads(connection.getresponse().read())
        rows = next(value for value in answer.values() if isinstance(value, list))
        if len(rows) != 50:
            raise SystemExit(f"server: a page has {len(rows)} results")
        figures = {}
        for path in ("/practice?limit=50", "/changes?after=900&limit=50"):
            wrk(place, running[0].address, "pages.lua", 4, 2, 2, place / "tokens", path)
            figures[path] = wrk(place, running[0].address, "pages.lua", 4, 2, seconds, place / "tokens", path)
        size = int(database.query("SELECT pg_database_size('parley')"))
    return figures, size
