// SPDX-License-Identifier: MIT

import Diagnostics
import FoundationEssentials
import Glibc
import ParleyServer

/// Not an asynchronous `main`: libdispatch's main loop would take the signals away from the thread that waits for them.
@main
struct Main {
    static func main() {
        let signals = ServerSignals()
        let words = Array(CommandLine.arguments.dropFirst())
        Task.detached { exit(await run(words, signals)) }
        signals.wait()
    }

    private static func run(_ words: [String], _ signals: ServerSignals) async -> Int32 {
        let environment = ProcessInfo.processInfo.environment
        do {
            switch (words.first, words.dropFirst().first) {
            case ("serve", _): try await serve(Array(words.dropFirst()), environment, signals)
            case ("keys", "rotate"):
                try await KeyCommands.rotate(
                    HomeWords(words.dropFirst(2), environment: environment),
                    log: ServerLog().logger(environment: environment))
            case ("cues", _):
                let arguments = try HomeWords(words, environment: environment)
                try await CueCommands.run(arguments, write: { write($0, to: STDOUT_FILENO) })
            case ("backup", _), ("restore", _):
                let arguments = try HomeWords(words, environment: environment)
                try await BackupCommands.run(arguments, write: { write($0, to: STDOUT_FILENO) })
            case ("settings", nil): write(ServerConfiguration.documentation, to: STDOUT_FILENO)
            case ("simulate-openai", _):
                try await SimulateCommand.run(
                    Array(words.dropFirst()), write: { write($0, to: STDOUT_FILENO) },
                    wait: { for await signal in signals.stream where signal != SIGHUP { break } })
            case ("--help", _), ("-h", _), (nil, _): write(ServeArguments.help, to: STDOUT_FILENO)
            default: throw ArgumentError("unknown command: \(words.joined(separator: " "))")
            }
        } catch {
            let exit = ServerExit(for: error)
            let command = words.first == "simulate-openai" ? " simulate-openai" : ""
            let hint = error is ArgumentError ? ". Run: parley-server\(command) --help" : ""
            write("parley-server: \(error)\(hint)\n", to: STDERR_FILENO)
            return exit.rawValue
        }
        return ServerExit.done.rawValue
    }

    private static func serve(
        _ words: [String], _ environment: [String: String], _ signals: ServerSignals
    ) async throws {
        if words.contains("--help") || words.contains("-h") { return write(ServeArguments.help, to: STDOUT_FILENO) }
        let arguments = try ServeArguments(words, environment: environment)
        let logger = arguments.log.logger(environment: environment)
        var options = arguments.options
        options.evaluator = ReadingSoundEvaluator()
        let server = try await ParleyServer.start(options, logger: logger)
        var line = ["address": server.address]
        line["metrics"] = server.metricsAddress
        if case .folder(let path) = arguments.options.mail { line["mail"] = path }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        write(String(decoding: try encoder.encode(line), as: UTF8.self) + "\n", to: STDOUT_FILENO)
        for await signal in signals.stream {
            guard signal == SIGHUP else { break }
            do {
                try await server.reloadKeys()
            } catch {
                logger.error("the signing keys were not read again: \(String(describing: error), privacy: .public)")
            }
            do {
                if let tls = try arguments.readTLS() { try await server.useCertificate(tls) }
            } catch {
                logger.error("the certificate was not read again: \(String(describing: error), privacy: .public)")
            }
        }
        await server.stop()
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            bytes = bytes.dropFirst(max(0, count))
        }
    }
}
