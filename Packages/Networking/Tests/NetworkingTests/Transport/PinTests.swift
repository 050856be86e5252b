// SPDX-License-Identifier: MIT

import Foundation
import Networking
import Testing

/// Pinned keys against a real TLS server with certificates of the test's own.
@Suite(.timeLimit(.minutes(5))) struct PinTests {
    private let server: NginxServer

    init() throws { server = try NginxServer.shared.get() }

    private func transport(pins: [String: [PublicKeyPin]]) throws -> CurlTransport {
        var configuration = server.configuration
        configuration.pins = pins
        configuration.pinAdvice = { "Pin \($0) anew." }
        return try CurlTransport(configuration: configuration)
    }

    private func pin(_ name: String) throws -> PublicKeyPin {
        try #require(PublicKeyPin(base64: server.certificates.pins[name] ?? ""))
    }

    @Test func `a server's own key is shown whatever is pinned`() async throws {
        for pins in [[:], ["127.0.0.1": [try pin("wrongname")]]] {
            let certificate = try await transport(pins: pins).presentedCertificate(
                of: server.secure("/hello"))
            #expect(certificate.pin == (try pin("good")))
            #expect(certificate.subject.contains("good"))
            #expect(certificate.issuer.contains("Authority"))
            #expect(!certificate.expires.isEmpty)
        }
    }

    @Test(arguments: ["wrongname", "expired", "selfsigned"])
    func `a certificate that is not trusted shows no key`(name: String) async throws {
        let transport = try transport(pins: [:])
        await expectError(.certificate) {
            _ = try await transport.presentedCertificate(of: server.secure("/hello", certificate: name))
        }
    }

    @Test func `a wrong key is refused by name on every connection`() async throws {
        let transport = try transport(pins: ["127.0.0.1": [try pin("wrongname")]])
        let url = try server.secure("/hello")
        let operations: [@Sendable () async throws -> Void] = [
            { _ = try await transport.send(HTTPRequest(.get, url)) },
            { _ = try await transport.connect(to: url) },
        ]
        for operation in operations {
            let error = await #expect(throws: NetworkError.self) { try await operation() }
            #expect(error?.code == .pin)
            #expect(error?.message.hasPrefix("127.0.0.1 presents a key that is not pinned") == true)
            #expect(error?.message.hasSuffix("Pin 127.0.0.1 anew.") == true)
        }
    }
}
