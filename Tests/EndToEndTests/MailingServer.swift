// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Networking

/// `parley-server serve --dev` as a process of its own that sends its mails to a ``MailSink``.
// SAFETY: nothing changes after init, and Process may be asked to end from any thread.
final class MailingServer: @unchecked Sendable {
    /// Where it listens.
    let address: String
    private let process = Process()

    /// Starts it and waits for its line.
    ///
    /// - Parameter sink: The mail server; nil for one that does not exist.
    init(home: String, mailingTo sink: MailSink?) throws {
        let output = Pipe.uninherited()
        process.executableURL = URL(filePath: ParleyProcess.executable + "-server")
        process.arguments =
            ["serve", "--dev", "--port", "0", "--home", home]
            + (sink?.arguments ?? ["--smtp", "smtps://127.0.0.1:1", "--sender", "parley@example.org"])
        process.environment = ProcessInfo.processInfo.environment.merging(sink?.environment ?? [:]) { $1 }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), let value = byte.first, value != 10 {
            line.append(value)
        }
        address = try JSONDecoder().decode([String: String].self, from: line)["address"] ?? ""
    }

    deinit {
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// Ends it without a warning.
    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Ends it as an operator does; gives its exit code.
    func stop() -> Int32 {
        Glibc.kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// A transport that may speak plain HTTP to this machine.
    static func transport() throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        return try CurlTransport(configuration: configuration)
    }
}
