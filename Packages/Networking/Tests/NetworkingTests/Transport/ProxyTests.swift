// SPDX-License-Identifier: MIT

import Foundation
import Networking
import NetworkingTestSupport
import TestKit
import Testing

/// Real requests through real proxies.
struct ProxyTests {
    let server: NginxServer

    init() throws {
        server = try NginxServer.shared.get()
    }

    private static func proxy(_ arguments: String...) throws -> PythonPeer {
        try PythonPeer("proxy.py", arguments, python: "/usr/bin/python3")
    }

    private func transport(
        _ proxy: CurlTransport.Configuration.Proxy, environment: [String: String] = [:],
        _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) throws -> CurlTransport {
        var configuration = server.configuration
        configuration.proxy = proxy
        configuration.timeouts = HTTPTimeouts(connect: .seconds(50))
        change(&configuration)
        return try CurlTransport(configuration: configuration, environment: environment)
    }

    private func failure(_ body: () async throws -> Void) async throws -> NetworkError {
        do {
            try await body()
        } catch let error as NetworkError {
            #expect(!"\(error) \(String(reflecting: error))".contains("secret"))
            return error
        }
        throw CommandFailure(description: "no error")
    }

    private func text(_ transport: CurlTransport, _ url: URL) async throws -> String {
        let request = HTTPRequest(.get, url, headers: ["Authorization": "Bearer t"])
        let response = try await transport.send(request)
        return "\(response.status) " + String(decoding: try await response.body.collect(), as: UTF8.self)
    }

    @Test func bothSchemesGoThroughTheProxyOfTheEnvironment() async throws {
        let folder = try TemporaryFolder()
        let proxy = try Self.proxy("--log", folder.file("log"))
        let address = "http://127.0.0.1:\(proxy.port)"
        let plain = try transport(.environment, environment: ["http_proxy": address, "https_proxy": ""])
        #expect(try await text(plain, server.plain("/hello")) == "200 hello\n")
        let secure = try transport(.environment, environment: ["HTTPS_PROXY": address])
        let response = try await secure.send(
            HTTPRequest(.get, server.secure("/hello"), headers: ["Authorization": "Bearer t"]))
        #expect(response.version == .http2)
        // What is meant for the server stays inside the tunnel, and the proxy's own answer outside of the response.
        #expect(
            try String(contentsOfFile: folder.file("log"), encoding: .utf8)
                == "GET \(server.plain("/hello")) True\nCONNECT 127.0.0.1:\(server.securePort) False\n")
        #expect(response.headers["Server"]?.hasPrefix("nginx") == true)
    }

    @Test func exceptionsAndOffGoStraight() async throws {
        let proxy = try Self.proxy("--answer", "403")
        let environment = ["all_proxy": "http://127.0.0.1:\(proxy.port)"]
        let excepted = try transport(
            .environment, environment: environment.merging(["no_proxy": "a.example, 127.0.0.1"]) { $1 })
        #expect(try await text(excepted, server.secure("/hello")) == "200 hello\n")
        let off = try transport(.none, environment: environment)
        #expect(try await text(off, server.plain("/hello")) == "200 hello\n")
        let other = try transport(.environment, environment: environment.merging(["no_proxy": "a.example"]) { $1 })
        #expect(try await text(other, server.plain("/hello")).hasPrefix("403"))
    }

    @Test func theConfiguredProxyGetsItsNameAndPassword() async throws {
        let proxy = try Self.proxy("--user", "us@er:se:cr et")
        let good = try transport(
            .url("http://us%40er:se%3Acr%20et@127.0.0.1:\(proxy.port)"), environment: ["no_proxy": "*"])
        #expect(try await text(good, server.secure("/hello")) == "200 hello\n")
        #expect(try await text(good, server.plain("/hello")) == "200 hello\n")
    }

    @Test(arguments: ["", "user:secret@"]) func anotherPasswordIsAnError(credentials: String) async throws {
        let proxy = try Self.proxy("--user", "user:right")
        let transport = try transport(.url("http://\(credentials)127.0.0.1:\(proxy.port)"))
        let error = try await failure { _ = try await transport.send(HTTPRequest(.get, server.secure("/hello"))) }
        #expect(error.code == .proxy)
        #expect(error.status == 407)
        // Without a tunnel the proxy's answer is the response.
        #expect(try await text(transport, server.plain("/hello")) == "407 refuse")
    }

    @Test(arguments: [(403, NetworkError.Code.proxy), (404, .proxy), (502, .connect), (503, .connect)])
    func aRefusalIsAnError(status: Int, code: NetworkError.Code) async throws {
        let proxy = try Self.proxy("--answer", "\(status)")
        let transport = try transport(.url("127.0.0.1:\(proxy.port)"))
        let error = try await failure { _ = try await transport.send(HTTPRequest(.get, server.secure("/hello"))) }
        #expect(error.code == code)
        #expect(error.status == status)
    }

    @Test func aProxyThatSaysNothingIsATimeOut() async throws {
        let proxy = try Self.proxy("--stall")
        let transport = try transport(.url("http://user:secret@127.0.0.1:\(proxy.port)")) {
            $0.timeouts.connect = .milliseconds(500)
        }
        let error = try await failure { _ = try await transport.send(HTTPRequest(.get, server.secure("/hello"))) }
        #expect(error.code == .connectTimeout)
        let stream = try await failure { _ = try await transport.connect(to: server.secure("/")) }
        #expect(stream.code == .connectTimeout)
    }

    @Test func aProxyThatClosesOrIsNotThereIsAnError() async throws {
        let proxy = try Self.proxy("--close")
        let closing = try transport(.url("http://user:secret@127.0.0.1:\(proxy.port)"))
        let error = try await failure { _ = try await closing.send(HTTPRequest(.get, server.secure("/hello"))) }
        #expect(error.code == .connectionLost)
        let absent = try transport(.url("http://user:secret@127.0.0.1:\(refusingPort)"))
        let refused = try await failure { _ = try await absent.send(HTTPRequest(.get, server.secure("/hello"))) }
        #expect(refused.code == .connect)
        let unknown = try transport(.url("http://user:secret@proxy.invalid:1")) { $0.timeouts.connect = nil }
        let unresolved = try await failure { _ = try await unknown.send(HTTPRequest(.get, server.secure("/hello"))) }
        #expect(unresolved.code == .resolve)
    }

    @Test func aProxyBehindTLSIsVerified() async throws {
        func proxy(_ name: String) throws -> PythonPeer {
            let path = server.certificates.folder.file(name)
            return try Self.proxy("--user", "user:secret", "--tls", path + ".pem", path + ".key")
        }
        let good = try proxy("good")
        let address = "https://user:secret@127.0.0.1:\(good.port)"
        #expect(try await text(transport(.url(address)), server.secure("/hello")) == "200 hello\n")
        #expect(try await text(transport(.url(address)), server.plain("/hello")) == "200 hello\n")
        let bad = try proxy("wrongname")
        let strict = try transport(.url("https://user:secret@127.0.0.1:\(bad.port)"))
        let error = try await failure { _ = try await strict.send(HTTPRequest(.get, server.secure("/hello"))) }
        #expect(error.code == .certificate)
    }

    @Test(arguments: [true, false], [true, false])
    func webSocketsGoThroughTheTunnel(secure: Bool, isProxySecure: Bool) async throws {
        let certificate = server.certificates.folder.file("good")
        let files = [certificate + ".pem", certificate + ".key"]
        let peer = try PythonPeer("websocket_echo.py", secure ? files : [], python: "/usr/bin/python3")
        let log = try TemporaryFolder()
        let proxy = try PythonPeer(
            "proxy.py",
            ["--user", "user:secret", "--log", log.file("log")] + (isProxySecure ? ["--tls"] + files : []),
            python: "/usr/bin/python3")
        let scheme = isProxySecure ? "https" : "http"
        let transport = try transport(.url("\(scheme)://user:secret@127.0.0.1:\(proxy.port)"))
        let url = try #require(URL(string: "\(secure ? "wss" : "ws")://127.0.0.1:\(peer.port)/"))
        let request = WebSocketRequest(url, headers: ["Authorization": "Bearer t"])
        let connection = try await WebSocketConnection.open(request, over: transport)
        #expect(
            try String(contentsOfFile: log.file("log"), encoding: .utf8) == "CONNECT 127.0.0.1:\(peer.port) False\n")
        let bytes = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await connection.send(bytes)
        #expect(try await connection.receive() == .binary(bytes))
        await connection.close()
        let stranger = try self.transport(.url("\(scheme)://user:other-secret@127.0.0.1:\(proxy.port)"))
        let error = try await failure { _ = try await WebSocketConnection.open(request, over: stranger) }
        #expect(error.code == .proxy)
        #expect(error.status == 407)
    }
}
