// SPDX-License-Identifier: MIT

import Foundation
import Networking
import TestKit
import Testing

/// `parley-server` that serves TLS itself.
@Suite(.timeLimit(.minutes(5))) struct CertificateTests {
    /// Writes a certificate for 127.0.0.1 and its key into the folder.
    private func makeCertificate(_ name: String, in folder: String) throws {
        let made = try ChildProcess(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
                folder + "/\(name).key", "-out", folder + "/\(name).pem", "-days", "2", "-subj", "/CN=127.0.0.1",
                "-addext", "subjectAltName=IP:127.0.0.1",
            ], errors: .discarded)
        try #require(made.wait() == .exited(0))
    }

    private func health(_ server: ServerProcess, trusting file: String) async throws -> HTTPResponse {
        var configuration = CurlTransport.Configuration()
        configuration.certificateAuthorityFile = file
        configuration.proxy = .none
        let url = try #require(URL(string: server.address + "/health"))
        return try await CurlTransport(configuration: configuration).send(HTTPRequest(.get, url))
    }

    @Test func `a hang-up brings the new certificate, and HSTS stays`() async throws {
        let home = try TemporaryFolder()
        for name in ["one", "two"] { try makeCertificate(name, in: home.path) }
        let (certificate, key) = (home.path + "/certificate", home.path + "/key")
        func install(_ name: String, keyOf other: String? = nil) throws {
            for (file, target) in [("\(name).pem", certificate), ("\(other ?? name).key", key)] {
                try Data(contentsOf: URL(filePath: home.path + "/" + file)).write(to: URL(filePath: target))
            }
        }
        try install("one")
        let server = try ServerProcess(
            home: home.path, ["--tls-certificate", certificate, "--tls-key", key])
        let first = try await health(server, trusting: home.path + "/one.pem")
        #expect(first.status == 200)
        #expect(first.headers["Strict-Transport-Security"] == "max-age=31536000")
        // A pair that does not fit together changes nothing; the next hang-up mends it.
        try install("two", keyOf: "one")
        server.hangUp()
        try install("two")
        server.hangUp()
        // Until the listener with the old certificate has stopped, both take connections.
        var second: HTTPResponse?
        try await eventually("the new certificate is served") {
            second = try? await health(server, trusting: home.path + "/two.pem")
            return second != nil
        }
        #expect(second?.headers["Strict-Transport-Security"] == "max-age=31536000")
        #expect(server.stop() == 0)
    }
}
