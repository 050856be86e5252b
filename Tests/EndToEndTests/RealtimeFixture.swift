// SPDX-License-Identifier: MIT

import Foundation
import NetworkingTestSupport
import TestKit

/// `parley` and the built `parley-server simulate-openai`, which hears and speaks.
final class RealtimeFixture {
    let parley: ParleyProcess
    private let server: ChildProcess
    let baseURL: String
    /// The network before the server, for a test that cuts it.
    let network: NetworkCut?

    /// Starts the server, and waits until it listens.
    ///
    /// - Parameters:
    ///   - words: Its command line.
    ///   - isCut: True for a network before it that can be cut.
    init(
        _ words: [String] = ["simulate-openai", "--listen", "--speak"], behindNetwork isCut: Bool = false
    ) async throws {
        parley = try ParleyProcess()
        server = try ChildProcess(
            ParleyProcess.executable + "-server", words + ["--port", "0"],
            environment: .only(parley.environment), errors: .discarded)
        // "listening at http://127.0.0.1:40123/v1".
        let line = await server.detached { $0.line() }
        guard let address = line?.split(separator: " ").last, address.hasPrefix("http") else {
            throw NotListening(said: line ?? "")
        }
        network = try isCut ? NetworkCut(before: URL(string: String(address))?.port.map(UInt16.init) ?? 0) : nil
        baseURL = network.map { "http://127.0.0.1:\($0.port)/v1" } ?? String(address)
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
