# SPDX-License-Identifier: MIT
"""The servers that Scripts/bench server and Scripts/bench auth-timing measure, and the mails of the first."""

import concurrent.futures
import contextlib
import functools
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(os.environ["PARLEY_ROOT"])
# A request that a full queue refuses counts until it is taken back: who asks again at once would reach the limit of an address.
LIMITS = {f"PARLEY_SERVER_MAILS_{name}": "1000" for name in ("PER_WINDOW", "PER_HOUR", "PER_HOUR_FROM_ALL")}


@functools.cache
def build():
    if program := os.environ.get("PARLEY_BENCH_SERVER"):
        return program
    print("server: building parley-server", file=sys.stderr)
    subprocess.run(["swift", "build", "--package-path", ROOT, "-c", "release", "--product", "parley-server", "--quiet"],
                   stdout=sys.stderr, check=True)
    return ROOT / ".build" / "release" / "parley-server"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A parley-server that runs: its address, its process's number, its maildir."""

    def __init__(self, address, process, maildir):
        self.address, self.process, self.maildir = address, process, maildir
        self.host = address.removeprefix("http://")

    def post(self, connection, path, body, network=None):
        """The status and the JSON of an answer. `network` numbers the network that the request seems to come from."""
        headers = {"Content-Type": "application/json"}
        if network is not None:
            headers["X-Forwarded-For"] = f"10.{network >> 8 & 255}.{network & 255}.{network >> 16 & 255}"
        connection.request("POST", path, json.dumps(body), headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read() or b"{}")


@contextlib.contextmanager
def parley_server(folder, *arguments, home="home", environment=()):
    """The release build, behind a proxy as it believes, with its home in the folder."""
    home = folder / home
    mail = [] if "--smtp" in arguments else ["--mail", home / "mail"]
    process = subprocess.Popen(
        [build(), "serve", "--dev", "--port", "0", "--proxies", "1", "--home", home, *mail, *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=LIMITS | os.environ | dict(environment))
    try:
        line = process.stdout.readline()
        if not line:
            raise SystemExit("server: parley-server did not start")
        yield Server(json.loads(line)["address"], process.pid, home / "mail" / "new")
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def nginx(folder):
    """nginx with one worker and a file of three bytes: its address, its process's number."""
    port = free_port()
    (folder / "www").mkdir()
    (folder / "www" / "file").write_bytes(b"ok\n")
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(f"""
{user} daemon off; pid nginx.pid; worker_processes 1; events {{ worker_connections 4096; }}
http {{
  access_log off; keepalive_requests 100000000; keepalive_timeout 120s; open_file_cache max=10; sendfile on;
  client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
  server {{ listen 127.0.0.1:{port} backlog=1024; root {folder}/www; }}
}}
""", encoding="utf-8")
    program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
    process = subprocess.Popen([program, "-p", str(folder), "-c", "nginx.conf", "-e", "error.log"])
    try:
        for _ in range(500):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            time.sleep(0.01)
        else:
            raise SystemExit("server: nginx did not start: " + (folder / "error.log").read_text())
        yield f"http://127.0.0.1:{port}", process.pid
    finally:
        process.terminate()
        process.wait()


class Mails:
    """Asks for mails and reads them, some at a time."""

    # Each request for mail waits for its turn of 25 ms.
    WIDTH = 32

    def __init__(self, server):
        self.server, self.network = server, 0
        self.local = threading.local()

    def connection(self):
        if not hasattr(self.local, "connection"):
            self.local.connection = http.client.HTTPConnection(self.server.host)
        return self.local.connection

    def ask(self, email, network):
        while True:
            status, answer = self.server.post(self.connection(), "/otp", {"email": email}, network)
            if status == 200:
                return
            # The queue of mails is full, as the disk has to keep up; or transactions were in each other's way too often.
            if status != 503 and (status != 429 or answer.get("retry_after") not in (59, 60)):
                raise SystemExit(f"server: {email} got no mail: {status} {answer}")
            time.sleep(0.05)

    def codes(self, emails):
        """Lines of an address and its code."""
        wanted = len(emails)
        before = {entry.name for entry in os.scandir(self.server.maildir)}
        with concurrent.futures.ThreadPoolExecutor(self.WIDTH) as pool:
            for done in pool.map(self.ask, emails, range(self.network, self.network + wanted)):
                assert done is None
        self.network += wanted
        codes = {}
        end = time.monotonic() + 60
        while len(codes) < wanted and time.monotonic() < end:
            for entry in os.scandir(self.server.maildir):
                if entry.name in before:
                    continue
                before.add(entry.name)
                text = pathlib.Path(entry.path).read_text(encoding="ascii")
                codes[re.search(r"^To: <(.+)>", text, re.M).group(1)] = re.search(r"^ {4}(\d{6})", text, re.M).group(1)
                os.unlink(entry.path)
            time.sleep(0.05)
        return [f"{email} {codes[email]}" for email in emails]

    def session(self, line, network):
        email, code = line.split()
        status, answer = self.server.post(
            self.connection(), "/verify", {"type": "email", "email": email, "token": code}, network)
        if status != 200:
            raise SystemExit(f"server: {email} was not signed in: {status} {answer}")
        return answer

    def sessions(self, emails):
        """The tokens of so many new sessions."""
        lines = self.codes(list(emails))
        with concurrent.futures.ThreadPoolExecutor(self.WIDTH) as pool:
            sessions = list(pool.map(self.session, lines, range(self.network, self.network + len(lines))))
        self.network += len(lines)
        return sessions

    def sign_in_all(self, emails):
        """The refresh tokens of so many new sessions."""
        return [session["refresh_token"] for session in self.sessions(emails)]
