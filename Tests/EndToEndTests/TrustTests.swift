// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Foundation
import HTTPServer
import TestKit
import Testing

/// Pinned keys, with a real TLS server whose certificate and authority the test makes.
@Suite(.timeLimit(.minutes(5))) struct TrustTests {
    /// A server of which every request is counted.
    private final class Server: Sendable {
        let folder: String
        /// The pin of its key.
        let key: String
        let port: Int
        private let server: HTTPServer
        private let count: Count

        init(folder: String) async throws {
            self.folder = folder
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let script = """
                new="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
                openssl req -x509 $new -keyout ca.key -out ca.pem -days 30 -subj /CN=Authority
                openssl req $new -keyout key.pem -out request -subj /CN=pinned
                echo subjectAltName=DNS:localhost >names
                openssl x509 -req -in request -CA ca.pem -CAkey ca.key -CAcreateserial -out own.pem -days 30 -extfile names
                openssl pkey -in key.pem -pubout -outform der | openssl dgst -sha256 -binary | base64 >pin
                """
            let made = try ChildProcess("sh", ["-euc", script], folder: folder, errors: .captured).finish()
            try #require(made.code == 0, "\(made.errors)")
            func text(_ name: String) throws -> String {
                try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
            }
            key = try text("pin").trimmingCharacters(in: .whitespacesAndNewlines)
            var configuration = HTTPServerConfiguration()
            configuration.tls = .init(
                certificateChain: try text("own.pem"), privateKey: try text("key.pem"))
            let count = Count()
            self.count = count
            server = HTTPServer(configuration: configuration) { _ in
                count.value.withLock { $0 += 1 }
                return try .json(["hello": "there"])
            }
            let address = try await server.start()
            port = Int("\(address)".split(separator: ":").last ?? "") ?? 0
        }

        /// The number of requests that arrived.
        var requests: Int { count.value.withLock { $0 } }
        func stop() async { await server.stop(grace: .zero) }
    }

    private final class Count: Sendable {
        let value = Guarded(0)
    }

    private static let wrong = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    private func run(_ words: [String], _ server: Server) async throws -> ParleyProcess.Result {
        try await parley.start(words, environment: ["SSL_CERT_FILE": server.folder + "/ca.pem"])
            .finished()
    }

    private func clients(_ server: Server) throws -> [[String]] {
        let origin = "https://localhost:\(server.port)"
        let sound = parley.path("silence.wav")
        try WAVSilence.write(seconds: 1, to: sound)
        return [
            ["net", "get", origin + "/"],
            ["chat", "Hi", "--base-url", origin + "/v1", "--model", "m"],
            ["embed", "Hi", "--base-url", origin + "/v1", "--model", "m"],
            [
                "talk", "--mode", "realtime", "--base-url", origin + "/v1", "--model", "m", "--input",
                sound, "--output", parley.path("out.wav"),
            ],
            ["sign-in", "ada@example.org", "--no-wait", "--store", "file", "--server", origin],
            ["mcp", "tools", "web"],
        ]
    }

    @Test func `a wrong key stops every client before it sends anything`() async throws {
        let server = try await Server(folder: parley.path("tls"))
        #expect(try await parley.run("trust", "pin", "localhost", "--key", Self.wrong).code == 0)
        for words in try clients(server) {
            // Not before: every chat asks the servers of tools, too.
            if words.first == "mcp" {
                let url = "https://localhost:\(server.port)/mcp"
                #expect(try await run(["mcp", "add", "web", "--timeout", "300", "--url", url], server).code == 0)
            }
            let result = try await run(words, server)
            #expect(result.code == 5, "\(words): \(result.errors)")
            let shown = result.errors + result.output
            #expect(shown.contains("localhost presents a key that is not pinned"), "\(words): \(shown)")
            #expect(shown.contains("parley trust pin localhost"), "\(words): \(shown)")
        }
        #expect(server.requests == 0)
        // With the right key, too, each of them reaches the server.
        #expect(try await parley.run("trust", "pin", "localhost", "--key", server.key).code == 0)
        var before = 0
        for words in try clients(server) {
            _ = try await run(words, server)
            #expect(server.requests > before, "\(words)")
            before = server.requests
        }
        await server.stop()
    }

    @Test func `a key is stored after a whole word only`() async throws {
        let server = try await Server(folder: parley.path("tls"))
        let environment = parley.environment.merging(["SSL_CERT_FILE": server.folder + "/ca.pem"]) {
            $1
        }
        let pin = [ParleyProcess.executable, "trust", "pin", "localhost:\(server.port)"]
        for answer in ["p\n", "pinned\n", "yes\n", "\n"] {
            let run = try TerminalRun(pin, environment: environment)
            try await run.shows("to store it.")
            try run.type(answer)
            #expect(await run.code() == 3)
            #expect(run.text.contains(server.key))
            #expect(try await parley.run("trust", "list").output.isEmpty)
        }
        let run = try TerminalRun(pin, environment: environment)
        try await run.shows("to store it.")
        try run.type("pin\n")
        #expect(await run.code() == 0)
        #expect(try await parley.run("trust", "list").output == "localhost  \(server.key)\n")
        #expect(try await parley.run("doctor").output.contains("Pinned servers: localhost"))
        #expect(server.requests == 0)
        #expect(try await parley.run("trust", "remove", "localhost").code == 0)
        #expect(try await parley.run("trust", "list").output.isEmpty)
        await server.stop()
    }

    @Test func `without a terminal nothing is stored unasked`() async throws {
        let result = try await parley.run("trust", "pin", "localhost:1", input: "pin\n")
        #expect(result.code == 2 && result.errors.contains("--key"), "\(result.errors)")
        #expect(try await parley.run("trust", "list").output.isEmpty)
    }

    @Test(arguments: [("[::1]:8443", "::1"), ("fe80::1%lo", "fe80::1%lo"), ("https://[::2]/", "::2")])
    func `a host is removed by the name that is shown`(server: String, host: String) async throws {
        let pinned = try await parley.run("trust", "pin", server, "--key", Self.wrong)
        #expect(pinned.code == 0 && pinned.errors.contains("parley trust remove \(host) ends"), "\(pinned.errors)")
        #expect(try await parley.run("trust", "list").output == "\(host)  \(Self.wrong)\n")
        #expect(try await parley.run("trust", "remove", host).code == 0)
        #expect(try await parley.run("trust", "list").output.isEmpty)
    }

    @Test func `a damaged file of pins stops every connection`() async throws {
        let server = try await Server(folder: parley.path("tls"))
        #expect(try await parley.run("trust", "pin", "localhost", "--key", server.key).code == 0)
        try Data("{".utf8).write(to: URL(filePath: parley.path("home/config/trust.json")))
        let result = try await run(["net", "get", "https://localhost:\(server.port)/"], server)
        #expect(result.code == 6 && result.errors.contains("trust.json"), "\(result.errors)")
        #expect(try await parley.run("doctor").output.contains("limited  Pinned servers"))
        #expect(server.requests == 0)
        await server.stop()
    }
}
