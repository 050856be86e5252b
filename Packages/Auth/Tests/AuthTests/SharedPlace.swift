// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import Security
import TestKit
import Testing

@testable import Auth

/// A server that rotates refresh tokens as GoTrue does, in a process of its own.
final class RotatingServer: Sendable {
    private let child: ChildProcess
    let port: String

    init(grace: Int, holdsFirst: Bool) throws {
        child = try ChildProcess(
            "python3", ["-c", Self.script, String(grace), holdsFirst ? "1" : "0"], input: .pipe)
        port = try #require(child.line())
    }

    /// Whether the session is open, and how many exchanges there were.
    func status() throws -> String {
        child.write("status\n")
        return try #require(child.line())
    }

    func read() throws -> String { try #require(child.line()) }

    func close() {
        child.kill()
        child.wait()
    }

    private static let script = """
        import http.server, json, sys, threading, time
        grace, holds = float(sys.argv[1]), sys.argv[2] == "1"
        state = {"generation": 0, "at": 0.0, "open": True, "count": 0}
        lock = threading.Lock()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def log_message(self, *arguments): pass
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with lock:
                    shown = int(body["refresh_token"].split(".")[1])
                    now = time.monotonic()
                    state["count"] += 1
                    number = state["count"]
                    if state["open"] and shown == state["generation"]:
                        state["generation"] += 1
                        state["at"] = now
                    elif shown != state["generation"] - 1 or now - state["at"] > grace or grace == 0:
                        state["open"] = False
                    is_open, generation = state["open"], state["generation"]
                if holds and number == 1:
                    print("rotated", flush=True)
                    time.sleep(3600)
                if is_open:
                    status, answer = 200, {"access_token": "a%d" % number, "refresh_token": "r.%d" % generation,
                        "expires_in": 3600, "token_type": "bearer"}
                else:
                    status, answer = 400, {"code": 400, "error_code": "refresh_token_already_used", "msg": "Already Used"}
                text = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(server.server_address[1], flush=True)
        for line in sys.stdin:
            with lock:
                print("open" if state["open"] else "over", state["count"], flush=True)
        """
}

/// A folder with a session in it, and a server that knows the session.
struct SharedPlace: Sendable {
    let server: RotatingServer
    private let folder: TemporaryFolder
    private var address: String { "http://127.0.0.1:\(server.port)" }

    init(grace: Int, holdsFirst: Bool = false) async throws {
        server = try RotatingServer(grace: grace, holdsFirst: holdsFirst)
        folder = try TemporaryFolder()
        chmod(folder.path, 0o700)
        let store = try await FileSecretStore.open(
            folder.file("secrets"), protection: .keyFile(folder.file("secrets.key")))
        let records = try AuthRecords(
            store: store, server: try #require(URL(string: "http://127.0.0.1:\(server.port)")))
        try await records.save(SessionRecord(id: "shared", user: nil, serverSession: nil, refreshToken: "r.0"))
    }

    /// A program that does something with the session so many times.
    func start(_ verb: String, count: Int) throws -> ChildProcess {
        try ChildProcess(
            ChildProcess.path(besideTests: "AuthProbeTestSupport"),
            [verb, address, folder.file("secrets"), String(count)])
    }

    /// Ends the server; the folder is there until then.
    func close() { server.close() }
}
