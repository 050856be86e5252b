// SPDX-License-Identifier: MIT

import CommandLineArguments
import FoundationEssentials
import Glibc
import ProductVersion

/// `main` is synchronous, because libdispatch's main loop would take the signals from the thread that waits for them.
@main
struct Main {
    static func main() {
        let signals = ServerSignals()
        let words = Array(CommandLine.arguments.dropFirst())
        ServerCrashes.install(words, ProcessInfo.processInfo.environment)
        // Not exit(): its handlers free what other threads may still use. Output is written at once, nothing is buffered.
        Task.detached { _exit(await run(words, signals)) }
        signals.wait()
    }

    private static func run(_ words: [String], _ signals: ServerSignals) async -> Int32 {
        do {
            switch try ServerCommands.parse(words) {
            case .run(let invocation):
                try await ServerCommands.run(
                    invocation,
                    in: Surroundings(
                        environment: ProcessInfo.processInfo.environment, signals: signals,
                        write: { try write($0, to: STDOUT_FILENO) }))
            case .help(let command?): try write(ServerCommands.table.help(of: command), to: STDOUT_FILENO)
            case .group(let commands): try write(ServerCommands.table.help(ofGroup: commands), to: STDOUT_FILENO)
            case .help(nil): try write(ServerCommands.help, to: STDOUT_FILENO)
            case .version: try write("parley-server \(ProductVersion.current)\n", to: STDOUT_FILENO)
            }
        } catch let error as UsageError {
            let command = error.command.map { " \($0)" } ?? ""
            try? write("parley-server: \(error.message) Run: parley-server\(command) --help\n", to: STDERR_FILENO)
            return ServerExit.usage.rawValue
        } catch let interruption as Interruption {
            return 128 + interruption.signal
        } catch {
            try? write("parley-server: \(error)\n", to: STDERR_FILENO)
            return ServerExit(for: error).rawValue
        }
        return ServerExit.done.rawValue
    }

    private static func write(_ text: String, to descriptor: Int32) throws {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            // A reader that leaves is no error.
            if count < 0, errno == EPIPE { return }
            guard count > 0 || errno == EINTR else { throw OutputError(cause: errno) }
            bytes = bytes.dropFirst(max(0, count))
        }
    }
}
