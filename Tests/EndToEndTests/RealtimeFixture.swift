// SPDX-License-Identifier: MIT

import Foundation

/// `parley` and the built `parley-server simulate-openai`, which hears and speaks.
final class RealtimeFixture {
    let parley: ParleyProcess
    private let server = Process()
    private let baseURL: String

    /// Starts the server, and waits until it listens.
    init() async throws {
        parley = try ParleyProcess()
        let executable = URL(filePath: ParleyProcess.executable).deletingLastPathComponent()
            .appending(path: "parley-server")
        let output = Pipe.uninherited()
        server.executableURL = executable
        server.arguments = ["simulate-openai", "--listen", "--speak", "--port", "0"]
        server.environment = parley.environment
        server.standardOutput = output
        server.standardError = FileHandle.nullDevice
        server.standardInput = FileHandle.nullDevice
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try server.run()
        baseURL = try await Self.address(output)
    }

    deinit {
        kill(server.processIdentifier, SIGKILL)
        server.waitUntilExit()
    }

    /// The variables by which parley finds the server.
    var environment: [String: String] {
        ["OPENAI_BASE_URL": baseURL, "OPENAI_API_KEY": "sk-never-shown", "PARLEY_MODEL": "gpt-5", "TERM": "xterm"]
    }

    /// A recorded question.
    static let question: String = {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized.path
        return root + "/Apps/parley/Samples/capital-of-texas.wav"
    }()

    func run(_ words: String..., environment: [String: String] = [:]) async throws -> ParleyProcess.Result {
        try await parley.start(words, environment: self.environment.merging(environment) { $1 }).result()
    }

    func terminal(_ words: String...) throws -> TerminalRun {
        try TerminalRun(
            [ParleyProcess.executable] + words, environment: parley.environment.merging(environment) { $1 })
    }

    /// "listening at http://127.0.0.1:40123/v1".
    private static func address(_ output: Pipe) async throws -> String {
        let text: String = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var seen = Data()
                while !seen.contains(UInt8(ascii: "\n")) {
                    let more = output.fileHandleForReading.availableData
                    if more.isEmpty { break }
                    seen += more
                }
                continuation.resume(returning: String(decoding: seen, as: UTF8.self))
            }
        }
        guard let address = text.split(separator: "\n").first?.split(separator: " ").last, address.hasPrefix("http")
        else { throw NotListening(said: text) }
        return String(address)
    }

    struct NotListening: Error {
        let said: String
    }
}
