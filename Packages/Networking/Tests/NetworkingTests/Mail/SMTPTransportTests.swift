// SPDX-License-Identifier: MIT

import Foundation
import Networking
import NetworkingTestSupport
import TestKit
import Testing

@Suite(
    "Mail to the server of Python's aiosmtpd", .enabled(if: PythonPeer.isWanted, PythonPeer.skipped),
    .timeLimit(.minutes(5)))
struct SMTPTransportTests {
    private let certificates: TestCertificates

    init() throws {
        certificates = try TestCertificates()
    }

    private struct Received: Decodable {
        let from: String
        let to: [String]
        let tls: Bool
        let user: String?
        let content: Data
    }

    private func peer(_ mode: String, _ options: String..., certificate: String = "good") throws -> PythonPeer {
        let files = [
            "--certificate", certificates.folder.file("\(certificate).pem"), "--key",
            certificates.folder.file("\(certificate).key"),
        ]
        return try PythonPeer("smtp_peer.py", [mode] + (mode == "plain" ? [] : files) + options)
    }

    private func transport(
        _ peer: PythonPeer, _ protection: SMTPTransport.Configuration.Protection,
        _ change: (inout SMTPTransport.Configuration) -> Void = { _ in }
    ) throws -> SMTPTransport {
        var configuration = SMTPTransport.Configuration(host: "127.0.0.1", port: peer.port, protection: protection)
        configuration.certificateAuthorityFile = certificates.authority
        change(&configuration)
        return try SMTPTransport(configuration)
    }

    private func received(_ peer: PythonPeer) async throws -> Received {
        try JSONDecoder().decode(Received.self, from: Data(try #require(await peer.line()).utf8))
    }

    private func login(_ configuration: inout SMTPTransport.Configuration, password: String = "a secret with spaces") {
        (configuration.user, configuration.password) = ("parley", password)
    }

    private let message = Array("Subject: Hello\r\n\r\n.a dot first\r\n..two\r\n.\r\nthe end\r\n".utf8)

    @Test func aMessageArrivesByteForByte() async throws {
        let peer = try peer("plain")
        try await transport(peer, .none).send(
            message, from: "parley@example.org", to: ["ada@example.org", "b@c.example"])
        let mail = try await received(peer)
        #expect([UInt8](mail.content) == message)
        #expect(mail.from == "parley@example.org")
        #expect(mail.to == ["ada@example.org", "b@c.example"])
        #expect(!mail.tls)
    }

    @Test(arguments: ["starttls", "tls"]) func thePasswordGoesOverTLS(_ mode: String) async throws {
        let peer = try peer(mode, "--auth")
        let transport = try transport(peer, mode == "tls" ? .implicitTLS : .startTLS) { login(&$0) }
        try await transport.send(message, from: "parley@example.org", to: ["ada@example.org"])
        let mail = try await received(peer)
        #expect(mail.tls)
        #expect(mail.user == "parley")
    }

    /// All but the message: what is wrong with the way there is told, and nothing arrives.
    @Test func aRehearsalLogsInAndLeavesNoMessage() async throws {
        let peer = try peer("starttls", "--auth")
        let transport = try transport(peer, .startTLS) { login(&$0) }
        try await transport.rehearse()
        try await transport.send(message, from: "parley@example.org", to: ["ada@example.org"])
        #expect([UInt8](try await received(peer).content) == message, "the first message is the one that was sent")
        let wrong = try self.transport(peer, .startTLS) { login(&$0, password: "another") }
        await expectError(.unauthorized) { try await wrong.rehearse() }
        let plain = try self.peer("plain")
        let demanding = try self.transport(plain, .startTLS)
        await expectError(.secure) { try await demanding.rehearse() }
    }

    @Test func aWrongPasswordIsRefusedAndNotTold() async throws {
        let peer = try peer("starttls", "--auth")
        let transport = try transport(peer, .startTLS) { login(&$0, password: "hunter2hunter2") }
        do {
            try await transport.send(message, from: "a@b.example", to: ["ada@example.org"])
            Issue.record("the server took it")
        } catch let error as NetworkError {
            #expect(error.code == .unauthorized)
            #expect(!String(reflecting: error).contains("hunter2"))
        }
    }

    @Test func withoutSTARTTLSNothingIsSent() async throws {
        let peer = try peer("plain")
        let transport = try transport(peer, .startTLS)
        await expectError(.secure) { try await transport.send(message, from: "a@b.example", to: ["ada@example.org"]) }
        try await self.transport(peer, .none).send(message, from: "later@b.example", to: ["ada@example.org"])
        #expect(try await received(peer).from == "later@b.example", "the first message is this one")
    }

    @Test(arguments: ["wrongname", "expired", "selfsigned"])
    func aServerThatIsNotWhoItSaysIsRefused(_ certificate: String) async throws {
        let peer = try peer("starttls", certificate: certificate)
        let transport = try transport(peer, .startTLS)
        await expectError(.certificate) {
            try await transport.send(message, from: "a@b.example", to: ["ada@example.org"])
        }
    }

    private static let namespaceVariable = "NETWORKING_SMTP_IN_A_NAMESPACE"

    @Test(.enabled(if: TestNamespace.isPermitted, TestNamespace.hint))
    func `a file of authorities replaces the system's`() async throws {
        try await TestNamespace.runTest(
            "aServerOfTheSystemsAuthorityInANamespace", environment: [Self.namespaceVariable: "1"])
    }

    /// A part of the test above: here, the system's folder of authorities is the test's.
    @Test(
        .enabled(
            if: ProcessInfo.processInfo.environment[namespaceVariable] != nil, "it is a part of the test above"))
    func aServerOfTheSystemsAuthorityInANamespace() async throws {
        let folder = certificates.folder.path
        let setUp =
            "mkdir system && cp ca.pem system/ca.pem && openssl rehash system && cp ca.pem system/ca-certificates.crt "
            + "&& mount --bind system /etc/ssl/certs"
        _ = try runCommand("/bin/sh", ["-ec", setUp], in: folder)
        let peer = try peer("starttls")
        let other = try transport(peer, .startTLS) {
            $0.certificateAuthorityFile = certificates.folder.file("selfsigned.pem")
        }
        await expectError(.certificate) { try await other.rehearse() }
        // The system does trust it: without the file, the server is let in.
        let system = try transport(peer, .startTLS) { $0.certificateAuthorityFile = nil }
        try await system.rehearse()
    }

    @Test(arguments: [450, 550]) func theServersReplyIsInTheError(_ reply: Int) async throws {
        let peer = try peer("plain", "--refuse", "\(reply)")
        let transport = try transport(peer, .none)
        do {
            try await transport.send(message, from: "a@b.example", to: ["ada@example.org"])
            Issue.record("the server took it")
        } catch let error as NetworkError {
            #expect(error.code == .status)
            #expect(error.status == reply)
        }
    }

    @Test func cancellingEndsATransferThatHangs() async throws {
        let peer = try peer("plain", "--hang")
        let transport = try transport(peer, .none)
        let task = Task { try await transport.send(message, from: "a@b.example", to: ["ada@example.org"]) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aServerThatHangsIsGivenUp() async throws {
        let peer = try peer("plain", "--hang")
        let transport = try transport(peer, .none) { $0.timeout = .milliseconds(300) }
        await expectError(.timeout) { try await transport.send(message, from: "a@b.example", to: ["ada@example.org"]) }
    }

    @Test func nobodyListensIsAnError() async throws {
        var configuration = SMTPTransport.Configuration(host: "127.0.0.1", port: refusingPort, protection: .none)
        configuration.connectTimeout = .seconds(Int64.max)
        let transport = try SMTPTransport(configuration)
        await expectError(.connect) { try await transport.send(message, from: "a@b.example", to: ["ada@example.org"]) }
    }

    @Test(arguments: [
        "", "ada", "@example.org", "ada@", "ada@example.org>\r\nRCPT TO:<eve@example.org", "<ada@example.org>",
        "a b@c.example",
        "ada@example.org\n", "ada@b@c.example",
    ])
    func whatIsNoAddressIsNotSent(_ address: String) async throws {
        let transport = try SMTPTransport(.init(host: "127.0.0.1", port: 1, protection: .none))
        await expectError(.invalidRequest) { try await transport.send(message, from: "a@b.example", to: [address]) }
        await expectError(.invalidRequest) { try await transport.send(message, from: "a@b.example", to: []) }
    }

    @Test func aPasswordWithoutTLSIsRefusedAtOnce() {
        #expect(throws: NetworkError.self) {
            try SMTPTransport(.init(host: "127.0.0.1", port: 25, protection: .none, user: "a", password: "b"))
        }
        #expect(throws: NetworkError.self) { try SMTPTransport(.init(host: "a/b", port: 25)) }
        #expect(throws: NetworkError.self) { try SMTPTransport(.init(host: "a.example", port: 0)) }
    }
}
