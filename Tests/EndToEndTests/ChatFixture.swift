// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import StructuredJSON
import TestKit
import Testing

/// `parley chat` and a simulated model.
final class ChatFixture {
    let parley: ParleyProcess
    let simulator: EchoSimulator

    /// - Parameter turns: What the model answers; more is made up.
    init(
        _ turns: [Scenario.Turn] = [], dialect: Scenario.Dialect = .openAI,
        configuration: SimulatorConfiguration = SimulatorConfiguration()
    ) async throws {
        parley = try ParleyProcess()
        simulator = try await EchoSimulator.start(
            scenario: Scenario(turns, dialect: dialect), configuration: configuration)
    }

    /// Does something with a fixture, and ends it.
    static func using(
        _ turns: [Scenario.Turn] = [], dialect: Scenario.Dialect = .openAI, _ body: (ChatFixture) async throws -> Void
    ) async throws {
        let fixture = try await ChatFixture(turns, dialect: dialect)
        let result: Result<Void, any Error>
        do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
        await fixture.simulator.close()
        try result.get()
    }

    /// Does something with a home in which the simulated model is in use.
    static func withModelInUse(
        _ turns: [Scenario.Turn], _ body: (ChatFixture) async throws -> Void
    ) async throws {
        try await using(turns, dialect: .llamaCpp) { chat in
            let added = try await chat.parley.run(
                "assistant", "add", "home", "--base-url", chat.simulator.baseURL.absoluteString, "--model", "qwen")
            #expect(added.code == 0, "\(added.errors)")
            #expect(try await chat.parley.run("assistant", "use", "home").code == 0)
            try await body(chat)
        }
    }

    /// The variables by which parley finds the model.
    var environment: [String: String] {
        [
            "OPENAI_BASE_URL": simulator.baseURL.absoluteString, "OPENAI_API_KEY": "sk-never-shown",
            "PARLEY_MODEL": "gpt-5",
            "PARLEY_EMBEDDING_MODEL": "text-embedding-3-small", "TERM": "xterm",
        ]
    }

    /// Runs parley to its end.
    func run(_ words: String..., input: String = "", environment: [String: String] = [:]) async throws
        -> ParleyProcess.Result
    {
        let running = try parley.start(words, environment: self.environment.merging(environment) { $1 })
        running.write(input)
        return await running.finished()
    }

    /// Runs parley at a terminal.
    func terminal(_ words: String..., environment: [String: String] = [:]) throws -> TerminalRun {
        try TerminalRun(
            [ParleyProcess.executable] + words,
            environment: parley.environment.merging(self.environment) { $1 }.merging(environment) { $1 })
    }

    /// What the requests of answers had as input: "user: Hello".
    var inputs: [[String]] {
        simulator.requests.filter { $0.path == "/v1/responses" }.map { request in
            (request.json?["input"]?.array ?? []).map { item in
                switch item["type"]?.string {
                case "function_call": "call \(item["name"]?.string ?? "")"
                case "function_call_output": "result \(item["output"]?.string ?? "")"
                default: "\(item["role"]?.string ?? ""): \(item["content"]?.string ?? "")"
                }
            }
        }
    }

    /// The command of a server of tools: the official SDK's.
    static let toolServer: [String] = {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized.path
        return [root + "/.venv-peers/bin/python", root + "/Tests/EndToEndTests/Fixtures/tools.py"]
    }()

    /// The command of a server of tools without any library, which writes each call into a file.
    func plainServer(_ mode: String...) -> [String] {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized.path
        return ["/usr/bin/python3", root + "/Tests/EndToEndTests/Fixtures/plain_tools.py", log] + mode
    }

    /// The calls that the plain server has had.
    var calls: [String] {
        ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }

    private var log: String { parley.path("calls") }

    static let hasPeers = FileManager.default.isExecutableFile(atPath: toolServer[0])
}
