// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// A mail server of Python's aiosmtpd that wants STARTTLS and a password, with a certificate of its own.
final class MailSink: Sendable {
    /// What it took.
    struct Mail: Decodable, Sendable {
        let from: String
        let to: [String]
        let tls: Bool
        let user: String?
        let content: Data

        /// The lines before the first empty one.
        var header: [String] { lines.prefix { !$0.isEmpty }.map { $0 } }
        /// The lines after it.
        var body: [String] { lines.drop { !$0.isEmpty }.dropFirst().map { $0 } }
        /// The line that is a link.
        var link: String? { body.first { $0.hasPrefix("http") } }
        /// The six digits.
        var code: String? { body.compactMap { $0.wholeMatch(of: /\ {4}([0-9]{6})/) }.first.map { String($0.output.1) } }

        private var lines: [String] { String(decoding: content, as: UTF8.self).components(separatedBy: "\r\n") }
    }

    private let folder: TemporaryFolder
    private let process: ChildProcess
    private let port: Int

    init() throws {
        folder = try TemporaryFolder()
        let subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
        let key = [
            "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", folder.file("key"),
        ]
        try SoundFixtures.tool(
            "openssl", ["req", "-x509", "-days", "30", "-out", folder.file("certificate")] + key + subject)
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized.path
        let python = root + "/.venv-peers/bin/python"
        try #require(FileManager.default.isExecutableFile(atPath: python), "run Scripts/test-peers")
        // It complains about its own library's age with each mail.
        process = try ChildProcess(
            python,
            [
                root + "/Packages/Networking/Tests/NetworkingTests/Fixtures/smtp_peer.py", "starttls", "--auth",
                "--certificate", folder.file("certificate"), "--key", folder.file("key"),
            ], input: .pipe, errors: .discarded)
        port = try #require(process.line().flatMap { Int($0) })
    }

    /// How parley-server is told of it.
    var arguments: [String] {
        [
            "--smtp", "smtp://127.0.0.1:\(port)", "--smtp-ca", folder.file("certificate"), "--sender",
            "parley@example.org",
        ]
    }

    /// The name and the password, which stand on no command line.
    let environment = ["PARLEY_SMTP_USER": "parley", "PARLEY_SMTP_PASSWORD": "a secret with spaces"]

    /// The next mail; waits for it.
    func next() async throws -> Mail {
        let line = await process.detached { $0.line() }
        return try JSONDecoder().decode(Mail.self, from: Data(try #require(line).utf8))
    }
}
