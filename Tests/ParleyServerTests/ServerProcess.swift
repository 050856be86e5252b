// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// `parley-server serve --dev` as a process of its own.
final class ServerProcess {
    let home: String
    /// What the server says it is.
    let address: String
    private let process = Process()

    /// Starts the server and waits for its line.
    init(home: String, _ arguments: [String] = []) throws {
        self.home = home
        process.executableURL = Self.executable
        process.arguments = ["serve", "--dev", "--port", "0", "--home", home] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), let value = byte.first, value != 10 {
            line.append(value)
        }
        struct Line: Decodable {
            let address: String
        }
        address = try JSONDecoder().decode(Line.self, from: line).address
    }

    deinit {
        kill()
    }

    /// Ends it without a warning, and waits until it has ended.
    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Ends it as an operator does; gives its exit code.
    func stop() -> Int32 {
        Foundation.kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// The program beside the test runner, which SwiftPM builds with it.
    private static var executable: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "parley-server")
    }
}
