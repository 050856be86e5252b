// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Dispatch
import FoundationEssentials
import Glibc
import Security
import Testing

@testable import Auth

/// A child process whose output is read line by line, away from Swift's threads.
final class Child: Sendable {
    let pid: pid_t
    private let output: Int32
    private let input: Int32
    private let buffer = Guarded([UInt8]())
    private let queue = DispatchQueue(label: "auth.tests.child")

    init(_ path: String, _ arguments: [String]) throws {
        var (out, into): ([Int32], [Int32]) = ([0, 0], [0, 0])
        let (isOut, isIn) = (pipe(&out) == 0, pipe(&into) == 0)
        try #require(isOut && isIn)
        // Another child must not hold the ends of this one's pipes open.
        for descriptor in out + into { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, into[0], 0)
        posix_spawn_file_actions_adddup2(&actions, out[1], 1)
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var child = pid_t()
        let result = posix_spawnp(&child, path, &actions, nil, &words, environ)
        for word in words { free(word) }
        posix_spawn_file_actions_destroy(&actions)
        Glibc.close(out[1])
        Glibc.close(into[0])
        try #require(result == 0, "\(path) does not start: \(result)")
        (pid, output, input) = (child, out[0], into[1])
    }

    /// The next line; nil at the end. Blocks.
    func read() -> String? {
        while true {
            let line = buffer.withLock { buffer -> String? in
                guard let end = buffer.firstIndex(of: 10) else { return nil }
                defer { buffer.removeSubrange(...end) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            if let line { return line }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = Glibc.read(output, &bytes, bytes.count)
            guard count > 0 else { return nil }
            buffer.withLock { $0 += bytes[..<count] }
        }
    }

    func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = Glibc.write(input, bytes, bytes.count)
    }

    func line() async -> String? {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: self.read()) } }
    }

    func lines() async -> [String] {
        var lines: [String] = []
        while let line = await line() { lines.append(line) }
        return lines
    }

    func kill() { Glibc.kill(pid, SIGKILL) }

    /// Waits for the end: the exit code, or the signal.
    func end() async -> Int32 {
        await withCheckedContinuation { continuation in
            queue.async {
                var status: Int32 = 0
                waitpid(self.pid, &status, 0)
                Glibc.close(self.output)
                Glibc.close(self.input)
                continuation.resume(returning: status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F)
            }
        }
    }
}

/// A server that rotates refresh tokens as GoTrue does, in a process of its own.
final class RotatingServer: Sendable {
    private let child: Child
    let port: String

    init(grace: Int, holdsFirst: Bool) throws {
        child = try Child("python3", ["-c", Self.script, String(grace), holdsFirst ? "1" : "0"])
        port = try #require(child.read())
    }

    /// Whether the session is open, and how many exchanges there were.
    func status() throws -> String {
        child.write("status")
        return try #require(child.read())
    }

    func read() throws -> String { try #require(child.read()) }

    func close() {
        child.kill()
        var status: Int32 = 0
        waitpid(child.pid, &status, 0)
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
    private let folder: String
    private var address: String { "http://127.0.0.1:\(server.port)" }

    init(grace: Int, holdsFirst: Bool = false) async throws {
        server = try RotatingServer(grace: grace, holdsFirst: holdsFirst)
        folder = FileManager.default.temporaryDirectory.path() + "/auth-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let store = try await FileSecretStore.open(folder + "/secrets", protection: .keyFile(folder + "/secrets.key"))
        let records = try AuthRecords(
            store: store, server: try #require(URL(string: "http://127.0.0.1:\(server.port)")))
        try await records.save(SessionRecord(id: "shared", user: nil, serverSession: nil, refreshToken: "r.0"))
    }

    /// A program that does something with the session so many times.
    func start(_ verb: String, count: Int) throws -> Child {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let products = tests.lastIndex(of: "/").map { String(tests[..<$0]) } ?? "."
        return try Child(products + "/AuthProbeTestSupport", [verb, address, folder + "/secrets", String(count)])
    }

    func close() {
        server.close()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
