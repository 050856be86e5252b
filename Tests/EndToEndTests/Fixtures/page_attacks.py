# SPDX-License-Identifier: MIT
"""Attacks the page of `parley dashboard` as other sites, users and programs would, and prints what got through.

usage: page_attacks.py ADDRESS HOME

ADDRESS is the one-time address that `parley dashboard --no-open` prints, HOME the PARLEY_HOME that it runs with. Prints a line of JSON
for each attack: its name, findings (an empty list is a success), and figures. Ends with 1 if anything was found.
"""

import itertools
import json
import os
import pathlib
import re
import secrets
import shutil
import socket
import stat
import subprocess
import sys
import time

WAIT = 60
OTHER_USER = 65534


class Page:
    """The page's server, over sockets of its own, so that any header can be sent."""

    def __init__(self, address, home):
        self.port = int(re.search(r":(\d+)/", address)[1])
        self.token = address.partition("#t=")[2]
        self.host = f"127.0.0.1:{self.port}"
        self.data = pathlib.Path(home) / "data"
        self.session = ""

    def connection(self, host="127.0.0.1"):
        return socket.create_connection((host, self.port), timeout=WAIT)

    def ask(self, method, path, headers=None, body=b"", host=None):
        """Sends a request and returns the status, the fields and the body."""
        fields = {"Host": self.host if host is None else host, "Connection": "close", **(headers or {})}
        if body or method in ("POST", "PUT"):
            fields["Content-Length"] = str(len(body))
        head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value is not None)
        with self.connection() as connection:
            connection.sendall(head.encode() + b"\r\n" + body)
            answer = b""
            while piece := connection.recv(65536):
                answer += piece
                head, _, rest = answer.partition(b"\r\n\r\n")
                length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
                if b"text/event-stream" in head or length and len(rest) >= int(length[1]):
                    break
        head, _, rest = answer.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        status = int(lines[0].split()[1]) if lines[0].startswith("HTTP/") else 0
        return status, {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}, rest

    def own(self, **fields):
        """The fields of the page's own requests."""
        return {"Authorization": f"Bearer {self.session}", "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin",
                **{name.replace("_", "-"): value for name, value in fields.items()}}

    def run(self, *words, **fields):
        return self.ask("POST", "/api/run", self.own(**fields), json.dumps({"words": words}).encode())


class Attacks:
    def __init__(self, page):
        self.page, self.findings, self.figures = page, [], {}

    def expect(self, statuses, answer, what):
        if answer[0] not in statuses:
            self.findings.append(f"{what}: {answer[0]} and not {statuses}")
        for name in answer[1]:
            if name.startswith("access-control-") or name == "set-cookie":
                self.findings.append(f"{what}: the answer has {name}")

    def tokens(self):
        """Guessed, used and empty tokens give no session; the right one does once."""
        def exchange(token, **fields):
            return self.page.ask("POST", "/api/session", {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin", **fields},
                                 json.dumps({"token": token}).encode())
        for _ in range(200):
            self.expect([403], exchange(secrets.token_urlsafe(32)), "a guessed token")
        for token in ("", self.page.token[:-1], self.page.token + "A", self.page.token.swapcase()):
            self.expect([403], exchange(token), "a damaged token")
        self.expect([403], exchange(self.page.token, Origin="https://evil.example"), "the token from another site")
        answer = exchange(self.page.token)
        self.expect([200], answer, "the right token")
        self.page.session = json.loads(answer[2] or b"{}").get("session", "")
        self.expect([403], exchange(self.page.token), "the token once more")
        self.expect([401], self.page.ask("GET", "/api/about", {"Authorization": f"Bearer {self.page.token}"}), "the token as a session")

    def sessions(self):
        """Nothing below /api answers without the session; it is in no address and no cookie."""
        for method, path in (("GET", "/api/about"), ("GET", "/api/live"), ("GET", "/api/runs"), ("GET", "/api/consents"),
                             ("GET", "/api/sound/abcd"), ("POST", "/api/run"), ("POST", "/api/runs"), ("DELETE", "/api/runs/r1"),
                             ("POST", "/api/live/1"), ("POST", "/api/consents/x"), ("GET", "/api/developer"), ("POST", "/api/developer/network")):
            for fields in ({}, {"Authorization": "Bearer " + secrets.token_urlsafe(32)}, {"Cookie": f"session={self.page.session}"}):
                answer = self.page.ask(method, path, {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin", **fields}, b"{}" if method == "POST" else b"")
                self.expect([401], answer, f"{method} {path} with {fields}")
            self.expect([401], self.page.ask(method, f"{path}?session={self.page.session}", {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}, b"{}" if method == "POST" else b""), f"{path} with the session in the address")

    def rebinding(self):
        """Another name for this machine reaches nothing (DNS rebinding)."""
        port = self.page.port
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"0.0.0.0:{port}", f"127.0.0.1.evil.example:{port}", f"[::1]:{port}",
                     f"127.0.0.1:{port}.evil.example", f"localhost.:{port}", f"2130706433:{port}", ""):
            self.expect([400, 403], self.page.ask("GET", "/", {}, host=host), f"Host {host!r}")
            self.expect([400, 403], self.page.ask("GET", "/api/about", self.page.own(), host=host), f"Host {host!r} with the session")

    def origins(self):
        """Another site's requests reach nothing, whatever they are: calls, forms, streams, WebSockets, images."""
        page = self.page
        for fields in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": f"http://localhost:{page.port}"}, {"Origin": f"http://127.0.0.1:{page.port + 1}"},
                       {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}):
            for method, path, body in (("GET", "/api/about", b""), ("GET", "/api/live", b""), ("POST", "/api/run", b'{"words":["status"]}'), ("DELETE", "/api/runs/r1", b"")):
                self.expect([403], page.ask(method, path, {**page.own(), **fields}, body), f"{method} {path} with {fields}")
            self.expect([403], page.ask("GET", "/main.js", fields), f"/main.js with {fields}")
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
            self.expect([403, 415], page.ask("POST", "/api/run", {"Content-Type": kind, "Origin": "https://evil.example"}, b'{"words":["status"]}'), f"a form of {kind}")
            self.expect([415], page.ask("POST", "/api/run", page.own(Content_Type=kind), b'{"words":["status"]}'), f"a body of {kind}")
        preflight = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
        self.expect([403], page.ask("OPTIONS", "/api/run", preflight), "a preflight")
        for path in ("/", "/api/live", "/api/run"):
            for origin in ("https://evil.example", f"http://{page.host}"):
                answer = page.ask("GET", path, {**page.own(), "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Origin": origin})
                if answer[0] == 101:
                    self.findings.append(f"{path} opens a WebSocket for {origin}")

    def frames(self):
        """No answer lets itself be framed, sniffed or cached."""
        for path in ("/", "/main.js", "/theme.css", "/nothing", "/api/about"):
            _, fields, _ = self.page.ask("GET", path, self.page.own())
            policy = fields.get("content-security-policy", "")
            for part in ("default-src 'none'", "frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'", "require-trusted-types-for 'script'"):
                if part not in policy:
                    self.findings.append(f"{path}: the policy lacks {part}")
            if "unsafe" in policy or "*" in policy:
                self.findings.append(f"{path}: the policy is {policy}")
            for name, value in (("x-frame-options", "DENY"), ("x-content-type-options", "nosniff"), ("cache-control", "no-store"), ("referrer-policy", "no-referrer"), ("cross-origin-resource-policy", "same-origin"), ("cross-origin-opener-policy", "same-origin")):
                if fields.get(name) != value:
                    self.findings.append(f"{path}: {name} is {fields.get(name)}")

    def paths(self):
        """No path leads to another file."""
        for path in ("/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd", "/page.sock", "/main.js/../../x", "/api/sound/..%2f..%2fx"):
            answer = self.page.ask("GET", path, self.page.own())
            if answer[0] == 200 or b"root:" in answer[2]:
                self.findings.append(f"{path}: {answer[0]}")

    def commands(self):
        """A session runs what the page shows and nothing else."""
        for words in (["secrets", "list"], ["secrets", "get", "x"], ["mcp", "add", "x", "--", "sh"], ["install"], ["record", "/tmp/x"], ["approve"], ["dashboard"],
                      ["chat", "--allow-tools", "x"], ["chat", "--attach", "/etc/passwd", "x"], ["say", "--output", "/tmp/x", "x"], ["settings", "set", "base-url", "http://evil.example/v1"],
                      ["settings", "set", "api-key", "x"], ["assistant", "add", "x", "--base-url", "http://evil.example/v1"], ["net", "get", "http://evil.example"]):
            self.expect([400, 403], self.page.run(*words), f"parley {' '.join(words)}")
        for body in (b"", b"{", b"[]", b'{"words":"status"}', b'{"words":[]}', b'{"words":[1]}', b'{"words":["ask","\\u0000"]}', b'{"words":' + b"[" * 5000):
            self.expect([400, 403, 422, 503], self.page.ask("POST", "/api/run", self.page.own(), body), f"the body {body[:20]!r}")
        self.expect([413], self.page.ask("POST", "/api/run", self.page.own(), b'{"words":["' + b"x" * (6 << 20) + b'"]}'), "a body of 6 MB")

    def addresses(self):
        """It listens at this machine's own address alone."""
        routes = subprocess.run(["ip", "-brief", "address"], capture_output=True, text=True, check=False).stdout if shutil.which("ip") else ""
        for host in {"127.0.0.2", *re.findall(r"\s(\d+\.\d+\.\d+\.\d+)/", routes)} - {"127.0.0.1"}:
            try:
                self.page.connection(host).close()
                self.findings.append(f"it listens at {host}")
            except OSError:
                pass

    def users(self):
        """Other users of the machine reach no socket and no file, and get no link."""
        paths = [self.page.data, self.page.data / "live", self.page.data / "consents", self.page.data / "page.sock"]
        for path in paths + [self.page.data / "open-page.html"]:
            if path.exists() and stat.S_IMODE(path.lstat().st_mode) & 0o077:
                self.findings.append(f"{path.name} is open to others: {oct(path.lstat().st_mode)}")
        # The address is in no program's arguments.
        for process in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = process.read_bytes()
            except OSError:
                continue
            if b"#t=" in words and f"/{os.getpid()}/".encode() not in str(process).encode() and b"page_" not in words:
                self.findings.append(f"a token is in the arguments of {words[:40]}")
        if os.geteuid() != 0:
            self.figures["users"] = "not root: another user was not tried"
            return
        link = "import socket,sys\ns=socket.socket(socket.AF_UNIX)\ns.settimeout(20)\ns.connect(sys.argv[1])\nprint('connected',flush=True)\nprint(s.recv(4096).decode())"
        door = str(self.page.data / "page.sock")
        # The test's own folders: up to the one for temporary files, which is everybody's.
        own = list(itertools.takewhile(lambda path: not path.stat().st_mode & stat.S_IWOTH and path != path.parent, [self.page.data, *self.page.data.parents]))
        modes = [(path, stat.S_IMODE(path.stat().st_mode)) for path in [*reversed(own), self.page.data / "page.sock"]]
        try:
            for opened in (False, True):
                # Even if somebody opens the folders and the socket, the peer's user is asked for.
                for path, mode in modes if opened else []:
                    path.chmod(mode | 0o777)
                done = subprocess.run(["setpriv", "--reuid", str(OTHER_USER), "--regid", str(OTHER_USER), "--clear-groups", "/usr/bin/python3", "-c", link, door],
                                      capture_output=True, text=True, check=False, timeout=WAIT)
                if "#t=" in done.stdout:
                    self.findings.append(f"another user gets a link ({'opened' if opened else 'closed'} folders)")
                if ("connected" in done.stdout) != opened:
                    self.findings.append(f"another user, {'opened' if opened else 'closed'} folders: {done.stdout} {done.stderr[-200:]}")
        finally:
            for path, mode in modes:
                path.chmod(mode)
        own = subprocess.run([sys.executable, "-c", link, door], capture_output=True, text=True, check=False, timeout=WAIT)
        if "#t=" not in own.stdout:
            self.findings.append(f"the person's own program gets no link: {own.stderr[-200:]}")

    def readers(self):
        """Tabs that never read hold up nobody."""
        stuck = []
        for _ in range(40):
            connection = self.page.connection()
            connection.sendall(f"GET /api/live HTTP/1.1\r\nHost: {self.page.host}\r\nAuthorization: Bearer {self.page.session}\r\n\r\n".encode())
            stuck.append(connection)
        for _ in range(3):
            answer = self.page.run("ask", "What is the capital of Texas?")
            self.expect([200], answer, "a question beside tabs that do not read")
            if b"Austin" not in answer[2]:
                self.findings.append(f"the answer is {answer[2][:200]}")
        for connection in stuck:
            connection.close()


ATTACKS = ["tokens", "sessions", "rebinding", "origins", "frames", "paths", "commands", "addresses", "users", "readers"]


def main():
    page = Page(sys.argv[1], sys.argv[2])
    has_failed = False
    for name in ATTACKS:
        attacks = Attacks(page)
        begin = time.monotonic()
        try:
            getattr(attacks, name)()
        except (OSError, subprocess.SubprocessError, ValueError) as error:
            attacks.findings.append(f"{type(error).__name__}: {error}")
        attacks.figures["seconds"] = round(time.monotonic() - begin, 1)
        has_failed = has_failed or bool(attacks.findings)
        print(json.dumps({"scenario": name, "findings": attacks.findings, "figures": attacks.figures}), flush=True)
    return 1 if has_failed else 0


if __name__ == "__main__":
    sys.exit(main())
