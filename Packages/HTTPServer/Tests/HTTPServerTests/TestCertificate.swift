// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// A certificate for 127.0.0.1 that openssl signs with its own key.
final class TestCertificate: Sendable {
    let chainFile: String
    let chain: String
    let key: String
    private let folder: URL

    static func make() async throws -> TestCertificate {
        try await TestThread.run { try TestCertificate() }
    }

    private init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("http-server-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        chainFile = folder.appendingPathComponent("chain.pem").path
        let keyFile = folder.appendingPathComponent("key.pem").path
        let status = try Self.openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", keyFile,
            "-out", chainFile, "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
        ])
        #expect(status == 0)
        chain = try String(contentsOfFile: chainFile, encoding: .utf8)
        key = try String(contentsOfFile: keyFile, encoding: .utf8)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    static func openssl(_ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
