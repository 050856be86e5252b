// SPDX-License-Identifier: MIT

import Foundation
import Networking
import TestKit
import Testing

/// Real requests through a real SOCKS5 proxy.
struct SocksProxyTests {
    let server: NginxServer
    let folder: TemporaryFolder

    init() throws {
        server = try NginxServer.shared.get()
        folder = try TemporaryFolder()
    }

    private func proxy(_ arguments: String...) throws -> PythonPeer {
        try PythonPeer("socks_proxy.py", ["--log", folder.file("log")] + arguments, python: "/usr/bin/python3")
    }

    private func transport(_ address: String) throws -> CurlTransport {
        var configuration = server.configuration
        configuration.proxy = .url(address)
        configuration.plainHTTPHosts = ["127.0.0.1", "localhost"]
        return try CurlTransport(configuration: configuration)
    }

    private var log: String { get throws { try String(contentsOfFile: folder.file("log"), encoding: .utf8) } }

    private func failure(_ transport: CurlTransport, _ url: URL) async throws -> NetworkError {
        do {
            _ = try await transport.send(HTTPRequest(.get, url))
        } catch let error as NetworkError {
            #expect(!"\(error) \(String(reflecting: error))".contains("secret"))
            return error
        }
        throw CommandFailure(description: "no error")
    }

    @Test(arguments: ["socks5", "socks5h"]) func bothSchemesGoThroughIt(scheme: String) async throws {
        let proxy = try proxy("--user", "us@er:se:cr et")
        let transport = try transport("\(scheme)://us%40er:se%3Acr%20et@127.0.0.1:\(proxy.port)")
        let plain = try await transport.send(HTTPRequest(.get, server.plain("/hello")))
        #expect(try await plain.body.collect() == Array("hello\n".utf8))
        let secure = try await transport.send(HTTPRequest(.get, server.secure("/hello")))
        #expect(secure.version == .http2)
        #expect(try await secure.body.collect() == Array("hello\n".utf8))
        #expect(try log == "127.0.0.1 \(server.plainPort)\n127.0.0.1 \(server.securePort)\n")
    }

    @Test func onlyOneOfThemResolvesNamesAtTheProxy() async throws {
        let proxy = try proxy()
        let url = try #require(URL(string: "http://localhost:\(server.plainPort)/hello"))
        for (scheme, host) in [("socks5h", "localhost"), ("socks5", "127.0.0.1")] {
            let response = try await transport("\(scheme)://127.0.0.1:\(proxy.port)").send(HTTPRequest(.get, url))
            #expect(try await response.body.collect() == Array("hello\n".utf8))
            let last = try #require(try log.split(separator: "\n").last)
            // A machine may have the other loopback address first.
            #expect(last == "\(host) \(server.plainPort)" || (scheme == "socks5" && last.hasPrefix("::1 ")))
        }
    }

    @Test(arguments: [
        (1, NetworkError.Code.connect), (2, .proxy), (3, .connect), (4, .connect), (5, .connect), (6, .connect),
        (7, .proxy), (8, .proxy), (99, .proxy),
    ])
    func whatItCannotReachIsNotARefusal(reply: Int, code: NetworkError.Code) async throws {
        let proxy = try proxy("--reply", "\(reply)")
        let transport = try transport("socks5h://127.0.0.1:\(proxy.port)")
        for url in try [server.plain("/hello"), server.secure("/hello")] {
            #expect(try await failure(transport, url).code == code)
        }
    }

    @Test(arguments: ["", "user:secret@"]) func anotherPasswordIsAnError(credentials: String) async throws {
        let proxy = try proxy("--user", "user:right")
        let transport = try transport("socks5h://\(credentials)127.0.0.1:\(proxy.port)")
        #expect(try await failure(transport, server.secure("/hello")).code == .proxy)
        #expect(!FileManager.default.fileExists(atPath: folder.file("log")))
    }

    @Test(arguments: ["method", "address"]) func oneThatBreaksOffIsALostConnection(moment: String) async throws {
        let proxy = try proxy("--close", moment)
        let transport = try transport("socks5h://127.0.0.1:\(proxy.port)")
        #expect(try await failure(transport, server.secure("/hello")).code == .connectionLost)
    }

    @Test func aWebSocketAsksItToo() async throws {
        let proxy = try proxy("--reply", "5")
        let transport = try transport("socks5h://127.0.0.1:\(proxy.port)")
        await expectError(.connect) {
            let url = try #require(URL(string: "ws://127.0.0.1:\(server.plainPort)/"))
            _ = try await WebSocketConnection.open(WebSocketRequest(url), over: transport)
        }
        #expect(try log == "127.0.0.1 \(server.plainPort)\n")
    }
}
