// SPDX-License-Identifier: MIT

import Diagnostics
import EchoSimulator
import FoundationEssentials

/// `parley-server simulate-openai`.
enum SimulateCommand {
    /// A file that is not what it should be.
    struct FileError: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs until a signal that ends it.
    ///
    /// - Parameters:
    ///   - words: What follows `simulate-openai`.
    ///   - write: Writes to standard output.
    ///   - wait: Returns when the server shall end.
    static func run(_ words: [String], write: (String) -> Void, wait: () async -> Void) async throws {
        if words.contains("--help") || words.contains("-h") { return write(SimulateArguments.help) }
        var arguments = try SimulateArguments(words)
        var scenario = try arguments.scenario.map(read) ?? Scenario()
        if let dialect = arguments.dialect { scenario.dialect = dialect }
        if let seed = arguments.realtimeSeed { scenario.turns += Scenario.randomRealtime(seed: seed).turns }
        if arguments.listens { try await SimulatedHearing.install(in: &arguments.configuration) }
        if arguments.speaks { try await SimulatedVoice.install(in: &arguments.configuration) }
        let record = try arguments.record.map { try RecordFile(path: $0) }
        if let record { arguments.configuration.onRequest = { record.append($0) } }
        if arguments.isVerbose {
            arguments.configuration.logger = Logger(category: "simulator", sink: StandardErrorSink())
        }
        let simulator = try await EchoSimulator.start(scenario: scenario, configuration: arguments.configuration)
        write(greeting(simulator.baseURL.absoluteString, scenario.dialect, key: arguments.configuration.key ?? "any"))
        await wait()
        await simulator.close()
    }

    private static func read(_ path: String) throws -> Scenario {
        let bytes: [UInt8]
        do { bytes = [UInt8](try Data(contentsOf: URL(filePath: path))) } catch {
            throw FileError(description: "\(path) cannot be read: check path and permissions")
        }
        do { return try Scenario(parsing: bytes) } catch { throw FileError(description: "\(path): \(error)") }
    }

    private static func greeting(_ address: String, _ dialect: Scenario.Dialect, key: String) -> String {
        let (path, body) =
            dialect == .openAI
            ? ("responses", #"{"model": "gpt-5", "input": "Hello", "stream": true}"#)
            : ("chat/completions", #"{"model": "any", "messages": [{"role": "user", "content": "Hello"}]}"#)
        return """
            listening at \(address)
            try: curl -N \(address)/\(path) -H 'Authorization: Bearer \(key)' -H 'Content-Type: application/json' -d '\(body)'

            """
    }
}
