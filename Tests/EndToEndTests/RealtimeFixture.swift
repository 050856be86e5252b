// SPDX-License-Identifier: MIT

import Foundation
import TestKit

/// `parley` and the built `parley-server simulate-openai`, which hears and speaks.
final class RealtimeFixture {
    let parley: ParleyProcess
    private let server: ChildProcess
    private let baseURL: String

    /// Starts the server, and waits until it listens.
    init() async throws {
        parley = try ParleyProcess()
        server = try ChildProcess(
            ParleyProcess.executable + "-server", ["simulate-openai", "--listen", "--speak", "--port", "0"],
            environment: .only(parley.environment), errors: .discarded)
        // "listening at http://127.0.0.1:40123/v1".
        let line = await server.detached { $0.line() }
        guard let address = line?.split(separator: " ").last, address.hasPrefix("http") else {
            throw NotListening(said: line ?? "")
        }
        baseURL = String(address)
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
        try await parley.start(words, environment: self.environment.merging(environment) { $1 }).finished()
    }

    func terminal(_ words: String...) throws -> TerminalRun {
        try TerminalRun(
            [ParleyProcess.executable] + words, environment: parley.environment.merging(environment) { $1 })
    }

    struct NotListening: Error {
        let said: String
    }
}
