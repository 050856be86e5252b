// SPDX-License-Identifier: MIT

import Foundation
import HTTPServer
import Networking
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct TLSTests {
    @Test func speaksTLSWithEveryFeature() async throws {
        let certificate = try await TestCertificate.make()
        var configuration = HTTPServerConfiguration.patient
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
        var configuration = HTTPServerConfiguration.patient
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
        var configuration = HTTPServerConfiguration.patient
        configuration.tls = .init(certificateChain: certificate.chain, privateKey: certificate.key)
        configuration.headerTimeout = .milliseconds(100)
        try await withServer(configuration, handler: { _ in .noContent }) { server in
            let bytes = try await server.connect().readToEnd()
            #expect(bytes == [])
        }
    }

    /// The certificate that a new connection is shown, and an answer over it.
    private func answer(_ server: TestServer, trusting certificate: TestCertificate) async throws -> HTTPResponse {
        var configuration = CurlTransport.Configuration()
        configuration.certificateAuthorityFile = certificate.chainFile
        configuration.proxy = .none
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        return try await CurlTransport(configuration: configuration).send(HTTPRequest(.get, url))
    }

    @Test func `a new certificate serves new connections alone`() async throws {
        let (first, second) = (try await TestCertificate.make(), try await TestCertificate.make())
        let (begun, release) = (Signal(), Signal())
        var configuration = HTTPServerConfiguration.patient
        configuration.tls = .init(certificateChain: first.chain, privateKey: first.key)
        try await withServer(
            configuration,
            handler: { request in
                if request.path == ["slow"] {
                    await begun.fire()
                    await release.wait()
                }
                return .text("\(request.path)")
            },
            body: { server in
                var old = CurlTransport.Configuration()
                old.certificateAuthorityFile = first.chainFile
                old.proxy = .none
                let transport = try CurlTransport(configuration: old)
                let slow = try #require(URL(string: "https://127.0.0.1:\(server.port)/slow"))
                async let waiting = transport.send(HTTPRequest(.get, slow))
                await begun.wait()
                // Also more than once: those before are ended when nobody uses them.
                for certificate in [second, first, second] {
                    try await server.server.useCertificate(
                        .init(certificateChain: certificate.chain, privateKey: certificate.key))
                    try await eventually { (try? await answer(server, trusting: certificate)) != nil }
                }
                // The old thread may take connections until it has quiesced, which the first one makes it do.
                try await eventually { (try? await answer(server, trusting: first)) == nil }
                let wrong = await #expect(throws: HTTPServerError.self) {
                    try await server.server.useCertificate(
                        .init(certificateChain: first.chain, privateKey: second.key))
                }
                #expect(wrong?.code == .certificate)
                // A wrong one changes nothing.
                try await eventually { (try? await answer(server, trusting: second))?.status == 200 }
                await release.fire()
                #expect(try await waiting.status == 200, "a request that was under way is answered")
            })
        let plain = HTTPServer { _ in .noContent }
        let refused = await #expect(throws: HTTPServerError.self) {
            try await plain.useCertificate(.init(certificateChain: first.chain, privateKey: first.key))
        }
        #expect(refused?.code == .notServingTLS)
    }

    /// The old threads are told to quiesce while the server frees them, if the two are not kept apart.
    @Test func `a certificate may come while the server stops`() async throws {
        let certificate = try await TestCertificate.make()
        var configuration = HTTPServerConfiguration.patient
        configuration.threads = 4
        let tls = HTTPServerConfiguration.TLS(certificateChain: certificate.chain, privateKey: certificate.key)
        configuration.tls = tls
        for _ in 0..<20 {
            let server = HTTPServer(configuration: configuration) { _ in .noContent }
            _ = try await server.start()
            async let stopping: Void = server.stop(grace: .zero)
            do { try await server.useCertificate(tls) } catch let error as HTTPServerError {
                #expect(error.code == .notServingTLS)
            }
            await stopping
        }
    }

    @Test func `answers over TLS tell browsers to stay`() async throws {
        let certificate = try await TestCertificate.make()
        var configuration = HTTPServerConfiguration.patient
        var tls = HTTPServerConfiguration.TLS(certificateChain: certificate.chain, privateKey: certificate.key)
        tls.strictTransportSecurity = .seconds(31_536_000)
        configuration.tls = tls
        try await withServer(configuration, handler: { _ in throw ServerProblem.notFound }) { server in
            let response = try await answer(server, trusting: certificate)
            #expect(response.status == 404)
            #expect(response.headers["Strict-Transport-Security"] == "max-age=31536000")
        }
    }

    @Test func aWrongKeyIsSaidAtTheStart() async throws {
        let (first, second) = (try await TestCertificate.make(), try await TestCertificate.make())
        for key in [second.key, "no key"] {
            var configuration = HTTPServerConfiguration.patient
            configuration.tls = .init(certificateChain: first.chain, privateKey: key)
            let server = HTTPServer(configuration: configuration) { _ in .noContent }
            let error = await #expect(throws: HTTPServerError.self) { try await server.start() }
            #expect(error?.code == .certificate)
        }
    }
}
