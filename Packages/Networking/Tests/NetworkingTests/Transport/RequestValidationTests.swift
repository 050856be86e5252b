// SPDX-License-Identifier: MIT

import Foundation
import Networking
import NetworkingTestSupport
import Testing

struct RequestValidationTests {
    @Test(arguments: ["a\r\nX: y", "a\nb", "a\rb", "a\0b"]) func refusesLineEndsInValues(_ value: String) async throws {
        let proxy = try FaultProxy(upstream: .response(FaultTests.response), fault: nil)
        defer { proxy.close() }
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        let transport = try CurlTransport(configuration: configuration)
        let url = try #require(URL(string: "http://127.0.0.1:\(proxy.port)/"))
        await expectError(.invalidRequest) {
            _ = try await transport.send(HTTPRequest(.get, url, headers: ["X-Field": value]))
        }
        await expectError(.invalidRequest) {
            _ = try await transport.send(HTTPRequest(.get, url, headers: [value: "x"]))
        }
        await expectError(.invalidRequest) {
            _ = try await transport.send(HTTPRequest(HTTPMethod(rawValue: value), url))
        }
        // URL percent-encodes what would break a line, so that nothing of it can reach the wire.
        if let broken = URL(string: "http://127.0.0.1:\(proxy.port)/\(value)") {
            #expect(!broken.absoluteString.utf8.contains { $0 <= 0x20 })
        }
        #expect(proxy.connectionCount == 0)
    }

    @Test(arguments: ["ftp://a/", "/relative", "https:///x", "https://user:secret@host/", "file:///etc/passwd"])
    func refusesAddresses(_ address: String) async throws {
        let url = try #require(URL(string: address))
        await expectError(.invalidRequest) { try HTTPRequest(.get, url).validate() }
    }

    @Test func refusesTransferEncodingAndEmptyNames() async throws {
        let url = try #require(URL(string: "https://host/"))
        for headers: HTTPHeaders in [["Transfer-Encoding": "chunked"], ["": "x"], ["a b": "x"], ["a:": "x"]] {
            await expectError(.invalidRequest) { try HTTPRequest(.get, url, headers: headers).validate() }
        }
    }
}
