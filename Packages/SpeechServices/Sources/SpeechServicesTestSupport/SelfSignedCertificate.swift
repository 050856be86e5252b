// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestKit

/// A certificate for 127.0.0.1 that openssl signs with its own key.
public struct SelfSignedCertificate: Sendable {
    /// The certificate in PEM.
    public let chain: String
    /// The private key in PEM.
    public let key: String

    /// Makes one; blocks for as long as openssl runs.
    public init() throws {
        let folder = try TemporaryFolder()
        let (chainFile, keyFile) = (folder.file("chain.pem"), folder.file("key.pem"))
        let openssl = try ChildProcess(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
                keyFile, "-out", chainFile, "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
                "subjectAltName=IP:127.0.0.1",
            ], output: .discarded, errors: .discarded)
        _ = openssl.wait()
        chain = String(decoding: try folder.bytes("chain.pem"), as: UTF8.self)
        key = String(decoding: try folder.bytes("key.pem"), as: UTF8.self)
    }
}
