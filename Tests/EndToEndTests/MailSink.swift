// SPDX-License-Identifier: MIT

import Foundation
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

    private let folder = FileManager.default.temporaryDirectory.appending(path: "parley-sink-\(UUID())").path
    private let process = Process()
    private let input = Pipe.uninherited()
    private let output: FileHandle
    private let port: Int

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
        let key = [
            "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", folder + "/key",
        ]
        try Self.run(
            "/usr/bin/openssl", ["req", "-x509", "-days", "30", "-out", folder + "/certificate"] + key + subject)
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized.path
        let python = root + "/.venv-peers/bin/python"
        try #require(FileManager.default.isExecutableFile(atPath: python), "run Scripts/test-peers")
        process.executableURL = URL(filePath: python)
        process.arguments = [
            root + "/Packages/Networking/Tests/NetworkingTests/Fixtures/smtp_peer.py", "starttls", "--auth",
            "--certificate", folder + "/certificate", "--key", folder + "/key",
        ]
        let pipe = Pipe.uninherited()
        (process.standardInput, process.standardOutput) = (input, pipe)
        // It complains about its own library's age with each mail.
        process.standardError = FileHandle.nullDevice
        output = pipe.fileHandleForReading
        try process.run()
        port = try #require(Int(Self.line(output)))
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// How parley-server is told of it.
    var arguments: [String] {
        [
            "--smtp", "smtp://127.0.0.1:\(port)", "--smtp-ca", folder + "/certificate", "--sender",
            "parley@example.org",
        ]
    }

    /// The name and the password, which stand on no command line.
    let environment = ["PARLEY_SMTP_USER": "parley", "PARLEY_SMTP_PASSWORD": "a secret with spaces"]

    /// The next mail; waits for it.
    func next() async throws -> Mail {
        try JSONDecoder().decode(
            Mail.self, from: Data(try await onThread { [output] in Self.line(output) }.utf8))
    }

    private static func line(_ handle: FileHandle) -> String {
        var bytes: [UInt8] = []
        while let byte = try? handle.read(upToCount: 1)?.first, byte != 10 { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}

/// Runs what blocks on a thread of its own.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}
