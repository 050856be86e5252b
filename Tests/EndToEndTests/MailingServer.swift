// SPDX-License-Identifier: MIT

import Foundation
import Networking
import NetworkingTestSupport
import TestKit

/// `parley-server serve --dev` as a process of its own that sends its mails to a ``MailSink``.
final class MailingServer: Sendable {
    /// Where it listens.
    let address: String
    private let process: ChildProcess

    /// Starts it and waits for its line.
    ///
    /// - Parameter sink: The mail server; nil for one that does not exist.
    init(home: String, mailingTo sink: MailSink?) throws {
        let mails =
            sink?.arguments ?? ["--smtp", "smtps://127.0.0.1:\(refusingPort)", "--sender", "parley@example.org"]
        process = try ChildProcess(
            ParleyProcess.executable + "-server", ["serve", "--dev", "--port", "0", "--home", home] + mails,
            environment: .adding(sink?.environment ?? [:]), errors: .discarded)
        let line = Data((process.line() ?? "").utf8)
        address = try JSONDecoder().decode([String: String].self, from: line)["address"] ?? ""
    }

    /// Ends it without a warning.
    func kill() {
        process.kill()
        process.wait()
    }

    /// Ends it as an operator does; gives its exit code.
    func stop() -> Int32 {
        process.kill(SIGTERM)
        return process.wait().code
    }

    /// A transport that may speak plain HTTP to this machine.
    static func transport() throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        return try CurlTransport(configuration: configuration)
    }
}
