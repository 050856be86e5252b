// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// A certificate for 127.0.0.1 that openssl signs with its own key.
final class TestCertificate: Sendable {
    let chainFile: String
    let chain: String
    let key: String
    private let folder: TemporaryFolder

    static func make() async throws -> TestCertificate {
        try await TestThread.run { try TestCertificate() }
    }

    private init() throws {
        folder = try TemporaryFolder()
        chainFile = folder.file("chain.pem")
        let keyFile = folder.file("key.pem")
        let status = try Self.openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", keyFile,
            "-out", chainFile, "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
        ])
        #expect(status == 0)
        chain = try String(contentsOfFile: chainFile, encoding: .utf8)
        key = try String(contentsOfFile: keyFile, encoding: .utf8)
    }

    static func openssl(_ arguments: [String]) throws -> Int32 {
        try ChildProcess("openssl", arguments, output: .discarded, errors: .discarded).wait().code
    }
}
