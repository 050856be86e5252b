# SPDX-License-Identifier: MIT
"""A tus 1.0.0 server of the tests' own: core, creation, checksum, termination; strict, and with faults on demand.

usage: tus_server.py [halts:N,N,…] FAULT…

Prints its port and serves until its standard input ends. The faults are used up one by one, one for each PATCH:
`ok`, `drop:N` (keeps N bytes and resets the connection), `lost` (keeps everything and resets before the answer),
`status:N`, `corrupt` (damages the bytes before it checks them). With `halts` it says `halted` each time that so many bytes
have come in all, and takes no more until GET /continue. GET /NAME returns the content, GET /log what came.
"""

import base64
import hashlib
import http.server
import socket
import struct
import sys
import threading

uploads, log, keys = {}, [], {}
faults = sys.argv[1:]
halts = [int(count) for count in faults.pop(0)[6:].split(",")] if faults and faults[0].startswith("halts:") else []
received = 0
going = threading.Semaphore(0)
# A client that was killed may have left bytes on their way; the next one has to wait until they are taken.
lock = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        self.send_header("Tus-Resumable", "1.0.0")
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), str(value))
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def reset(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def read(self, count):
        """The body, as much of it as comes."""
        global received
        body = bytearray()
        try:
            while len(body) < count and (piece := self.rfile.read1(min(count - len(body), 1 << 12))):
                body += piece
                received += len(piece)
                if halts and received >= halts[0]:
                    halts.pop(0)
                    print("halted", flush=True)
                    going.acquire()
        except ConnectionError:
            pass
        return bytes(body)

    def is_tus(self):
        if self.headers.get("Tus-Resumable") == "1.0.0":
            return True
        self.answer(412)
        return False

    def do_POST(self):
        if not self.is_tus():
            return
        key = self.headers["Idempotency-Key"]
        name = keys.setdefault(key, f"/files/{len(keys)}")
        if name not in uploads:
            uploads[name] = (int(self.headers["Upload-Length"]), bytearray())
        log.append(f"create {self.headers.get('Upload-Metadata', '-')}")
        self.answer(201, Location=name)

    def do_HEAD(self):
        if not self.is_tus():
            return
        with lock:
            self.ask()

    def ask(self):
        if self.path not in uploads:
            return self.answer(404)
        length, content = uploads[self.path]
        log.append(f"ask {len(content)}")
        self.answer(200, Upload_Offset=len(content), Upload_Length=length, Cache_Control="no-store")

    def do_PATCH(self):
        if not self.is_tus():
            return
        with lock:
            self.patch()

    def patch(self):
        if self.path not in uploads:
            return self.answer(404)
        length, content = uploads[self.path]
        fault = faults.pop(0) if faults else "ok"
        count = int(self.headers["Content-Length"])
        body = self.read(min(count, int(fault[5:])) if fault.startswith("drop:") else count)
        if fault.startswith("status:"):
            return self.answer(int(fault[7:]))
        if self.headers["Content-Type"] != "application/offset+octet-stream":
            return self.answer(415)
        if int(self.headers["Upload-Offset"]) != len(content):
            return self.answer(409)
        log.append(f"patch {len(content)} {len(body)}")
        if fault.startswith("drop:"):
            content += body
            return self.reset()
        if fault == "corrupt":
            body = b"\0" + body[1:]
        if "Upload-Checksum" in self.headers:
            algorithm, _, expected = self.headers["Upload-Checksum"].partition(" ")
            if base64.b64encode(hashlib.new(algorithm, body).digest()).decode() != expected:
                return self.answer(460)
        content += body
        assert len(content) <= length
        if fault == "lost" or len(body) < count:
            return self.reset()
        self.answer(204, Upload_Offset=len(content))

    def do_DELETE(self):
        if self.is_tus():
            self.answer(204 if uploads.pop(self.path, None) else 404)

    def do_GET(self):
        if self.path == "/continue":
            going.release()
            return self.answer(204)
        if self.path == "/log":
            return self.answer(200, "\n".join(log).encode())
        self.answer(200, bytes(uploads[self.path][1])) if self.path in uploads else self.answer(404)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
