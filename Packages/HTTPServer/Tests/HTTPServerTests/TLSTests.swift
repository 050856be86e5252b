// SPDX-License-Identifier: MIT

import Foundation
import HTTPServer
import Networking
import Testing

@Suite struct TLSTests {
    @Test func speaksTLSWithEveryFeature() async throws {
        let certificate = try await TestCertificate.make()
        var configuration = HTTPServerConfiguration()
        configuration.tls = .init(certificateChain: certificate.chain, privateKey: certificate.key)
        try await withServer(
            configuration,
            handler: { request in
                if request.method == .get {
                    return .stream { writer in
                        for _ in 0..<10 { try await writer.write([UInt8](repeating: 1, count: 100_000)) }
                    }
                }
                return .text("\(try await request.body.collect(upTo: 400_000).count)")
            },
            body: { server in
                var configuration = CurlTransport.Configuration()
                configuration.certificateAuthorityFile = certificate.chainFile
                configuration.proxy = .none
                let transport = try CurlTransport(configuration: configuration)
                let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
                let stream = try await transport.send(HTTPRequest(.get, url))
                #expect(try await stream.body.collect(upTo: 2 << 20).count == 1_000_000)
                let body = [UInt8](repeating: 1, count: 300_000)
                let upload = try await transport.send(HTTPRequest(.post, url, body: .bytes(body)))
                #expect(try await upload.body.collect(upTo: 100) == Array("300000".utf8))
                // More than is read for nothing: the connection may break, but nothing hangs and nothing is kept.
                let large = HTTPRequest(.post, url, body: .bytes([UInt8](repeating: 1, count: 3 << 20)))
                if let refused = try? await transport.send(large) { #expect(refused.status == 413) }
            })
    }

    @Test func oldVersionsAreRefused() async throws {
        let certificate = try await TestCertificate.make()
        var configuration = HTTPServerConfiguration()
        configuration.tls = .init(certificateChain: certificate.chain, privateKey: certificate.key)
        try await withServer(configuration, handler: { _ in .noContent }) { server in
            let address = "127.0.0.1:\(server.port)"
            for (version, isAccepted) in [("-tls1_1", false), ("-tls1_2", true), ("-tls1_3", true)] {
                let status = try await TestThread.run {
                    try TestCertificate.openssl(
                        ["s_client", "-connect", address, version, "-cipher", "DEFAULT:@SECLEVEL=0"])
                }
                #expect((status == 0) == isAccepted, "\(version)")
            }
        }
    }

    @Test func aHandshakeThatNeverComesIsCutOff() async throws {
        let certificate = try await TestCertificate.make()
        var configuration = HTTPServerConfiguration()
        configuration.tls = .init(certificateChain: certificate.chain, privateKey: certificate.key)
        configuration.headerTimeout = .milliseconds(100)
        try await withServer(configuration, handler: { _ in .noContent }) { server in
            let bytes = try await server.connect().readToEnd()
            #expect(bytes == [])
        }
    }

    @Test func aWrongKeyIsSaidAtTheStart() async throws {
        let (first, second) = (try await TestCertificate.make(), try await TestCertificate.make())
        for key in [second.key, "no key"] {
            var configuration = HTTPServerConfiguration()
            configuration.tls = .init(certificateChain: first.chain, privateKey: key)
            let server = HTTPServer(configuration: configuration) { _ in .noContent }
            let error = await #expect(throws: HTTPServerError.self) { try await server.start() }
            #expect(error?.code == .certificate)
        }
    }
}
