// SPDX-License-Identifier: MIT

import Dispatch
import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import Auth

/// A browser's end of a connection, or an attacker's. It blocks, so it runs on threads of its own.
struct LoopbackPeer {
    let descriptor: Int32

    init?(port: UInt16) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let descriptor = descriptor
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if !isConnected {
            Glibc.close(descriptor)
            return nil
        }
    }

    func say(_ text: String) {
        let bytes = Array(text.utf8)
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Everything until the other end closes.
    func hear() -> String {
        var (all, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            all += chunk[..<count]
        }
        Glibc.close(descriptor)
        return String(decoding: all, as: UTF8.self)
    }

    /// One request and its answer; empty when there is no answer.
    static func exchange(_ port: UInt16, _ text: String) async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "auth.tests.peer").async {
                let peer = LoopbackPeer(port: port)
                peer?.say(text)
                continuation.resume(returning: peer?.hear() ?? "")
            }
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct LoopbackTests {
    private func listener(
        lifetime: Duration = .seconds(600), headerTime: Duration = .seconds(300)
    ) throws -> (listener: LoopbackListener, port: UInt16, path: String) {
        let listener = try LoopbackListener(
            server: try #require(base), lifetime: lifetime, headerTime: headerTime)
        let text = listener.redirect.url.absoluteString
        let rest = text.dropFirst("http://127.0.0.1:".count)
        let port = try #require(UInt16(rest.prefix { $0 != "/" }))
        #expect(text.hasPrefix("http://127.0.0.1:\(port)/signed-in?state="))
        return (listener, port, String(rest.drop { $0 != "/" }))
    }

    private func get(_ target: String, _ port: UInt16, method: String = "GET", host: String? = nil) -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\nAccept: */*\r\n\r\n"
    }

    @Test func `the browser comes back with a code`() async throws {
        let (listener, port, path) = try listener()
        let answer = await LoopbackPeer.exchange(port, get("\(path)&code=abc", port))
        let link = try await listener.link()
        guard case .code(let code) = link.proof else {
            Issue.record("it has a code")
            return
        }
        #expect(code.exposed == "abc" && link.belongs(to: listener.redirect.state))
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("</html>"))
        let length = answer.split(separator: "\r\n\r\n").last?.utf8.count
        #expect(answer.contains("Content-Length: \(length ?? 0)\r\n"))
        for word in ["http://", "https://", "//", "<script", "<img", "<link", "abc", "src="] {
            #expect(!answer.split(separator: "\r\n\r\n").dropFirst().joined().contains(word))
        }
        #expect(answer.contains("default-src 'none'") && answer.contains("no-store"))
        // Used once: the port is closed, or the connection is.
        #expect(await LoopbackPeer.exchange(port, get("\(path)&code=abc", port)) == "")
    }

    @Test func `the server's refusal comes back too`() async throws {
        let (listener, port, path) = try listener()
        let answer = await LoopbackPeer.exchange(
            port, get("\(path)&error=access_denied&error_code=otp_expired&error_description=Email+link", port))
        guard case .refused("otp_expired") = try await listener.link().proof else {
            Issue.record("it is a refusal")
            return
        }
        #expect(answer.contains("did not work"))
    }

    @Test func `what is not the link uses nothing up`() async throws {
        let (listener, port, path) = try listener()
        let cases: [(String, String)] = [
            (get("/signed-in?code=abc", port), "403"), (get("/signed-in?state=x&code=abc", port), "403"),
            (get("\(path)x&code=abc", port), "403"), (get(path, port), "400"), (get("/", port), "404"),
            (get("/favicon.ico", port), "404"), (get("/signed-in/?\(path.dropFirst(11))&code=a", port), "404"),
            (get("\(path)&code=abc", port, method: "POST"), "405"),
            (get("\(path)&code=abc", port, method: "HEAD"), "405"),
            (get("\(path)&code=abc", port, host: "evil.example"), "403"),
            (get("\(path)&code=abc", port, host: "localhost:\(port)"), "403"),
            (get("\(path)&code=abc&code=abd", port), "400"), (get("\(path)&token=abc", port), "400"),
            ("GET \(path)&code=abc HTTP/1.1\r\n\r\n", "400"),
            ("GET \(path)&code=abc HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nhost: 127.0.0.1:\(port)\r\n\r\n", "400"),
            ("GET \(path)&code=abc HTTP/1.1\nHost: 127.0.0.1:\(port)\n\r\n\r\n", "400"),
            ("GET http://127.0.0.1:\(port)\(path)&code=abc HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n", "400"),
            ("\u{16}\u{3}\u{1}\u{2}\u{0}\r\n\r\n", "400"), ("GET\r\n\r\n", "400"), ("\r\n\r\n", "400"),
            ("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 9_000))", "431"),
            ("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 9_000))\r\n\r\n", "431"),
        ]
        for (text, status) in cases {
            let answer = await LoopbackPeer.exchange(port, text)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(text.prefix(80))")
        }
        _ = await LoopbackPeer.exchange(port, get("\(path)&code=abc", port))
        _ = try await listener.link()
    }

    @Test func `slow and parallel connections hold nobody up`() async throws {
        let (listener, port, path) = try listener()
        // More than there is room for, each with half a request.
        let slow = (0..<40).compactMap { _ in LoopbackPeer(port: port) }
        #expect(slow.count == 40)
        for peer in slow { peer.say("GET \(path)") }
        let text = get("\(path)&code=abc", port)
        let answer = await LoopbackPeer.exchange(port, text)
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        _ = try await listener.link()
        for peer in slow { #expect(peer.hear() == "") }
    }

    @Test func `a request may come byte by byte`() async throws {
        let (listener, port, path) = try listener()
        let text = get("\(path)&code=abc", port)
        let answer = await withCheckedContinuation { continuation in
            DispatchQueue(label: "auth.tests.peer").async {
                let peer = LoopbackPeer(port: port)
                for character in text.unicodeScalars { peer?.say(String(character)) }
                continuation.resume(returning: peer?.hear() ?? "")
            }
        }
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        _ = try await listener.link()
    }

    @Test func `a connection that says nothing is closed`() async throws {
        let (listener, port, path) = try listener(headerTime: .milliseconds(20))
        #expect(await LoopbackPeer.exchange(port, "GET /") == "")
        // On a busy machine this one may be too late as well.
        try await eventually { await LoopbackPeer.exchange(port, get("\(path)&code=abc", port)) != "" }
        _ = try await listener.link()
    }

    @Test func `nobody waits for ever`() async throws {
        let (listener, _, _) = try listener(lifetime: .milliseconds(20))
        #expect(await failure { _ = try await listener.link() }?.code == .expired)
    }

    @Test func `closing and cancelling end it`() async throws {
        let (first, port, path) = try listener()
        first.close()
        #expect(await failure { _ = try await first.link() }?.code == .noPendingSignIn)
        #expect(await LoopbackPeer.exchange(port, get("\(path)&code=abc", port)) == "")
        let (second, _, _) = try listener()
        let task = Task { try await second.link() }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    @Test func `two listeners have two ports and two states`() throws {
        let (one, other) = (try listener(), try listener())
        #expect(one.port != other.port && one.path != other.path)
        one.listener.close()
        other.listener.close()
    }
}
