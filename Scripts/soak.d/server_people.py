# SPDX-License-Identifier: MIT
"""People who use parley-server through a proxy, and what they count."""

import base64
import collections
import hashlib
import http.client
import json
import random
import re
import socket
import ssl
import threading
import time
import uuid

from server_processes import HOST, ROOT, Failure


# A second of somebody's question: 16 kHz, 16 bits.
SPEECH = (ROOT / "Apps/parley/Samples/capital-of-texas.wav").read_bytes()[: 44 + 32_000]


class SignedOut(Failure):
    pass


class Figures:
    """What happened, counted by all threads."""

    def __init__(self):
        self.lock = threading.Lock()
        self.counts = collections.Counter()
        self.faults = []
        self.times = []
        self.reasons = collections.Counter()
        # Since a disk was filled, an answer may say so.
        self.disk_was_filled = threading.Event()

    def count(self, name, number=1):
        with self.lock:
            self.counts[name] += number

    def call(self, seconds, attempts, reasons):
        with self.lock:
            self.counts["calls"] += 1
            self.counts["calls repeated"] += attempts > 1
            self.counts["calls beyond the client's rules"] += attempts > 3
            self.times.append(seconds)
            self.reasons.update(reasons)

    def fault(self, fact):
        with self.lock:
            self.faults.append(fact)


class Client:
    """Requests through the proxy, on one connection, repeated as this repository's client does."""

    def __init__(self, port, authority, figures, seed):
        self.port, self.figures, self.random = port, figures, random.Random(seed)
        self.tls = ssl.create_default_context(cafile=authority)
        self.open = None

    def connection(self):
        if self.open is None:
            connection = http.client.HTTPSConnection(HOST, context=self.tls)
            plain = socket.create_connection(("127.0.0.1", self.port), 30)
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.sock = self.tls.wrap_socket(plain, server_hostname=HOST)
            self.open = connection
        return self.open

    def once(self, method, path, body, headers):
        """One attempt: status, headers and body; the status is 0 without an answer."""
        try:
            connection = self.connection()
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            content = response.read()
            if response.will_close:
                self.close()
            return response.status, response.headers, content
        except (OSError, http.client.HTTPException):
            self.close()
            return 0, {}, b""

    def close(self):
        if self.open is not None:
            self.open.close()
            self.open = None

    def call(self, method, path, body=b"", headers=None, token=None, expected=(200,)):
        """Repeats what may be repeated; more often than the client would, and that is counted."""
        headers = dict(headers or {})
        if token:
            headers["Authorization"] = f"Bearer {token}"
        begin, attempt, reasons = time.monotonic(), 0, []
        while True:
            attempt += 1
            status, fields, content = self.once(method, path, body, headers)
            is_disk_full = status == 507 and self.figures.disk_was_filled.is_set() and b"limit_reached" not in content
            if status not in (0, 408, 425, 429, 500, 502, 503, 504) and not is_disk_full:
                break
            reasons.append(f"{method} {re.sub('[0-9a-f-]{36}', 'ID', path.split('?')[0])}: {status}")
            if time.monotonic() - begin > 90:
                raise Failure(f"{method} {path}: {status} {content[:200]} for 90 s")
            wait = self.random.uniform(0, 0.25 * 2 ** min(attempt - 1, 4))
            # The client keeps for its next run what a full disk refuses; here that is as soon as the disk has room again.
            time.sleep(max(wait, 1 if is_disk_full else float(fields.get("Retry-After", 0) or 0)))
        self.figures.call(time.monotonic() - begin, attempt, reasons)
        if status not in expected:
            raise Failure(f"{method} {path}: {status} {content[:300]}")
        return status, fields, content

    def post(self, path, fields, token=None, expected=(200,)):
        status, _, content = self.call(
            "POST", path, json.dumps(fields).encode(), {"Content-Type": "application/json"}, token, expected)
        return status, json.loads(content or b"{}")


class Person(threading.Thread):
    """Somebody who practises on several devices at once."""

    CUE = "11111111-2222-4333-8444-555555555555"

    def __init__(self, number, seed, soak):
        super().__init__(daemon=True)
        self.name = f"person{number}-{seed}@example.org"
        self.soak, self.figures, self.random = soak, soak.figures, random.Random(f"{seed} {number}")
        self.clients = [soak.client(f"{seed} {number} {device}") for device in range(3)]
        self.client = self.clients[0]
        self.tokens = None
        self.results, self.sounds, self.objects = [], {}, {}

    def run(self):
        try:
            self.sign_in()
            while not self.soak.ended.is_set():
                choice = self.random.random()
                if choice < 0.01:
                    self.sign_in()
                elif choice < 0.7:
                    self.race()
                elif choice < 0.83:
                    self.record_result()
                elif choice < 0.88:
                    self.leave_object()
                elif choice < 0.95:
                    self.upload()
                else:
                    self.read_one()
        except SignedOut as error:
            self.figures.fault(f"{self.name} was signed out: {error}")
        except Exception as error:  # Every other fault ends the run as well.
            self.figures.fault(f"{self.name}: {type(error).__name__} {error}")

    @property
    def token(self):
        return self.tokens["access_token"]

    def sign_in(self):
        """A session more. A mail may come twice after a fault, so a code may be one that was used."""
        refusals = []
        for _ in range(3):
            self.client.post("/otp", {"email": self.name})
            code = self.soak.code(self.name)
            if code is None:
                return
            status, answer = self.client.post(
                "/verify", {"type": "email", "email": self.name, "token": code}, expected=(200, 403))
            if status == 200:
                self.tokens = answer
                self.figures.count("sign-ins")
                return
            self.figures.count("codes refused")
            refusals.append(f"{code}: {answer.get('detail', answer)}")
        raise Failure(f"no code is right: {refusals}")

    def race(self):
        """Two or three devices show the same token at once."""
        shown, answers = self.tokens["refresh_token"], []

        def refresh(client):
            try:
                status, answer = client.post(
                    "/token?grant_type=refresh_token", {"refresh_token": shown}, expected=range(200, 500))
                answers.append((status, answer))
            except Failure as error:
                answers.append((0, str(error)))

        racers = [threading.Thread(target=refresh, args=(client,))
                  for client in self.clients[: self.random.choice((2, 3))]]
        for racer in racers:
            racer.start()
        for racer in racers:
            racer.join()
        self.figures.count("racing refreshes", len(racers))
        refused = [answer for answer in answers if answer[0] != 200]
        if refused:
            raise SignedOut(f"{refused}")
        tokens = {answer["refresh_token"] for _, answer in answers}
        if len(tokens) > 1:
            self.figures.count("races with two outcomes")
        self.tokens = self.random.choice(answers)[1]

    def record_result(self):
        name = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        result = {"id": name, "cue": self.CUE, "cue_text": "words", "language": "en", "recording": None,
                  "practised_at": "2026-01-31T12:00:00.000Z", "day": "2026-01-31", "rating": 3, "evaluation": None}
        self.client.call("PUT", f"/practice/{name}", json.dumps(result).encode(), {"Content-Type": "application/json"},
                         self.token, (200, 201))
        self.results.append(name)
        self.figures.count("results")

    def leave_object(self):
        number = len(self.objects) + 1
        path = f"/sync/{'a1' * 32}/objects/l-{'00' * 16}-{number}-{number}"
        content = self.random.randbytes(500)
        self.client.call("PUT", path, content, {"Content-Type": "application/octet-stream"}, self.token, (200, 201, 204))
        self.objects[path] = content
        self.figures.count("relay objects")

    def upload(self):
        name = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        # Now and then somebody says something that can be evaluated; what follows the sound in the file makes it another one.
        is_speech = self.random.random() < 0.2
        sound = (SPEECH + self.random.randbytes(16) if is_speech
                 else self.random.randbytes(self.random.randrange(1_000, 200_000)))
        values = {"id": name, "cue": self.cue() if is_speech else self.CUE, "created_at": "2026-01-31T12:00:00.000Z", "duration": "1.5",
                  "format": "flac", "sample_rate": "16000", "sha256": hashlib.sha256(sound).hexdigest()}
        tus = {"Tus-Resumable": "1.0.0"}
        create = tus | {"Upload-Length": str(len(sound)), "Upload-Metadata": ",".join(
            f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in values.items())}
        _, fields, _ = self.client.call("POST", "/uploads", b"", create, self.token, (201, 423))
        offset = int(fields.get("Upload-Offset", 0))
        for _ in range(60):
            if offset == len(sound):
                break
            end = min(len(sound), offset + self.random.randrange(20_000, 200_000))
            # A piece is not repeated as it is: the server is asked first what it has.
            status, fields, _ = self.client.once(
                "PATCH", f"/uploads/{name}", sound[offset:end],
                tus | {"Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream",
                       "Authorization": f"Bearer {self.token}"})
            if status == 204:
                offset = int(fields["Upload-Offset"])
                continue
            if self.soak.ended.is_set():
                return  # Not acknowledged; another instance waits for the lease of one that was killed.
            self.figures.count("pieces sent again")
            self.figures.count(f"pieces answered {status}")
            time.sleep(max(self.random.uniform(0, 0.5), float(fields.get("Retry-After", 0) or 0)))
            status, fields, _ = self.client.call("HEAD", f"/uploads/{name}", b"", tus, self.token, (200, 423, 404))
            if status == 404:
                status, fields, _ = self.client.call("POST", "/uploads", b"", create, self.token, (201, 423))
            if status != 423:
                offset = int(fields["Upload-Offset"])
        if offset != len(sound):
            raise Failure(f"upload {name} does not end")
        self.sounds[name] = hashlib.sha256(sound).hexdigest()
        self.figures.count("sounds")
        self.figures.count("sounds of speech", is_speech)

    def cue(self):
        """A cue of the catalogue."""
        _, _, content = self.client.call("GET", "/cues?limit=1", token=self.token)
        return next(value for value in json.loads(content).values() if isinstance(value, list))[0]["id"]

    def read_one(self):
        if self.results:
            self.client.call("GET", f"/practice/{self.random.choice(self.results)}", token=self.token)

    def check(self):
        """Looks whether all that was acknowledged is there."""
        if self.tokens is None:
            return
        _, self.tokens = self.client.post(
            "/token?grant_type=refresh_token", {"refresh_token": self.tokens["refresh_token"]})
        for name in self.results:
            status, _, _ = self.client.call("GET", f"/practice/{name}", token=self.token, expected=range(200, 500))
            if status != 200:
                self.figures.fault(f"the result {name} is lost: {status}")
        for path, expected in self.objects.items():
            status, _, content = self.client.call("GET", path, token=self.token, expected=range(200, 500))
            if status != 200 or content != expected:
                self.figures.fault(f"the object {path} is lost: {status}")
        for name, expected in self.sounds.items():
            status, _, content = self.client.call(
                "GET", f"/recordings/{name}/content", token=self.token, expected=range(200, 500))
            if status != 200 or hashlib.sha256(content).hexdigest() != expected:
                self.figures.fault(f"the sound {name} is lost: {status}")
