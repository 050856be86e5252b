# SPDX-License-Identifier: MIT
"""A server of event streams (WHATWG HTML section 9.2) that breaks them off, over chunked HTTP/1.1.

usage: event_server.py

Prints its port and serves until its standard input ends. GET /log returns a line for each request and each connection
that the client closed. The streams:

    /story    cut between chunks in the middle of an event, then ended well, cut inside a chunk, and 204
    /silent   one event and then nothing, on an open connection; the next request gets another and a good end, then 204
    /random/SEED/COUNT  events 1 to COUNT after the last that the client names, cut at a random byte each time; then 204
"""

import http.server
import random
import socket
import struct
import sys
import threading

log, visits, generators = [], {}, {}
lock = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def begin(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def chunk(self, text, announced=None):
        data = text.encode()
        self.wfile.write(b"%x\r\n%s" % (announced or len(data), data) + (b"" if announced else b"\r\n"))

    def end(self):
        self.wfile.write(b"0\r\n\r\n")

    def finish_all(self):
        self.send_response(204)
        self.end_headers()

    def cut(self):
        # What was sent arrives before the end, unlike with a reset.
        self.close_connection = True

    def do_GET(self):
        if self.path == "/log":
            body = "\n".join(log).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            return
        with lock:
            visit = visits[self.path] = visits.get(self.path, 0) + 1
            last = self.headers.get("Last-Event-ID", "-").encode("latin-1").decode()
            log.append(f"{self.path} {self.headers.get('Accept')} {last}")
        getattr(self, self.path.split("/")[1])(visit)

    def story(self, visit):
        if visit == 4:
            return self.finish_all()
        self.begin()
        if visit == 1:
            self.chunk("\ufeffretry: 50\r\n: hello\nid: 1\ndata: one\r")
            self.chunk("\n\r\nevent: more\nid: é2\ndata: two\ndata: lines\n\nid: 3\ndata: never")
            self.cut()
        elif visit == 2:
            self.chunk("data: after\n\nid: 4\ndata: four\n\n")
            self.end()
        else:
            self.chunk("data: five\n\ndata: si", announced=100)
            self.cut()

    def silent(self, visit):
        if visit == 3:
            return self.finish_all()
        self.begin()
        self.chunk(f"retry: 50\nid: {visit}\ndata: visit {visit}\n\n")
        if visit == 2:
            return self.end()
        try:
            self.connection.recv(1)
        except OSError:
            pass
        log.append("closed by the client")
        self.cut()

    def random(self, visit):
        _, _, seed, count = self.path.split("/")
        generator = generators.setdefault(self.path, random.Random(int(seed)))
        last = int(self.headers.get("Last-Event-ID", "0"))
        if last == int(count):
            return self.finish_all()
        text = "retry: 1\n" + "".join(
            f"id: {number}\ndata: {number} {'x' * generator.randrange(40)}\n\n" for number in range(last + 1, int(count) + 1))
        text = text[:generator.randrange(10, 1500)]
        self.begin()
        while text:
            size = generator.randrange(1, 200)
            self.chunk(text[:size])
            text = text[size:]
        if generator.randrange(2):
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.cut()


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
