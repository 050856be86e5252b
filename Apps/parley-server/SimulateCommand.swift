// SPDX-License-Identifier: MIT

import CommandLineArguments
import Diagnostics
import EchoSimulator
import FoundationEssentials
import Glibc

/// `parley-server simulate-openai`.
enum SimulateCommand: ServerCommand {
    /// A file with invalid content.
    struct FileError: Error, CustomStringConvertible {
        let description: String
    }

    private static let port = ValueOption<Int>(
        "port", placeholder: "N", help: "The port to listen on; 0 takes a free one (default 9998)", in: 0...65_535)
    private static let host = ValueOption<String>(
        "host", placeholder: "ADDRESS", help: "The interface to listen on (default 127.0.0.1)")
    private static let scenario = ValueOption<String>(
        "scenario", placeholder: "FILE",
        help: "Expected requests, their answers and faults, in JSON; without one it answers anything plausibly",
        completion: .files)
    private static let dialect = ValueOption<Scenario.Dialect>(
        "dialect", placeholder: "NAME", help: "Speak as that server does (default: the scenario's, else openai)",
        choices: Scenario.Dialect.allCases)
    private static let seed = seed("seed", "What identifiers are made from (default 1)")
    private static let key = ValueOption<String>(
        "key", placeholder: "KEY", help: "The only key that is right; without it any key is")
    private static let record = ValueOption<String>(
        "record", placeholder: "FILE",
        help: "Append each request's method, path and body to FILE, a line of JSON each", completion: .files)
    private static let listen = Flag(
        "listen", help: "Understand spoken questions about US states in /v1/realtime, and answer them (PocketSphinx)")
    private static let speak = Flag(
        "speak", help: "Speak the answers of /v1/realtime (eSpeak NG) instead of playing tones")
    private static let realtimeSeed = seed(
        "realtime-seed", "Let /v1/realtime go wrong at random in every way it can, the same way for the same N")
    private static let verbose = Flag("verbose", help: "Log to standard error")

    private static func seed(_ name: String, _ help: String) -> ValueOption<UInt64> {
        ValueOption(name, placeholder: "N", help: help, expected: "a whole number from 0") { UInt64($0) }
    }

    static let specification = CommandSpecification(
        path: ["simulate-openai"], summary: "Answer as OpenAI's API does, for tests, without a model, until Ctrl-C",
        discussion: """
            /v1/responses, /v1/chat/completions, /v1/embeddings, /v1/audio/transcriptions, /v1/models and the WebSocket
            /v1/realtime; prints its address once it listens. Scenarios are described in docs/simulator.md.
            """,
        options: [port, host, scenario, dialect, seed, key, record, listen, speak, realtimeSeed, verbose])

    static let handlesSignals = true

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        var configuration = SimulatorConfiguration()
        configuration.port = invocation[port] ?? 9998
        configuration.host = invocation[host] ?? configuration.host
        configuration.seed = invocation[seed] ?? configuration.seed
        configuration.key = invocation[key]
        var scenario = try invocation[scenario].map(read) ?? Scenario()
        if let dialect = invocation[dialect] { scenario.dialect = dialect }
        if let seed = invocation[realtimeSeed] { scenario.turns += Scenario.randomRealtime(seed: seed).turns }
        if invocation.has(listen) { try await SimulatedRecognition.install(in: &configuration) }
        if invocation.has(speak) { try await SimulatedVoice.install(in: &configuration) }
        if let record = try invocation[record].map(RecordFile.init(path:)) {
            configuration.onRequest = { record.append($0) }
        }
        if invocation.has(verbose) { configuration.logger = Logger(category: "simulator", sink: StandardErrorSink()) }
        let simulator = try await EchoSimulator.start(scenario: scenario, configuration: configuration)
        try surroundings.write(
            greeting(simulator.baseURL.absoluteString, scenario.dialect, key: configuration.key ?? "any"))
        for await signal in surroundings.signals.stream where signal != SIGHUP { break }
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

/// A file, readable by its owner only, that lines are appended to.
private final class RecordFile: Sendable {
    private let descriptor: Int32

    /// - Throws: ``SimulateCommand/FileError``.
    init(path: String) throws {
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SimulateCommand.FileError(
                description: "\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// Writes each line in one call, so that lines of several requests do not mix; a full disk loses the line.
    func append(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
}
