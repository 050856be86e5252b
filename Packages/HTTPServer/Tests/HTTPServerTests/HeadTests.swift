// SPDX-License-Identifier: MIT

import HTTPServer
import Networking
import Testing

/// What must not reach a handler, byte for byte.
@Suite struct HeadTests {
    private let handler: HTTPHandler = { request in
        .text("reached \(request.method) \(request.path) \(request.host ?? "-")")
    }

    @Test(arguments: [
        // Where the body ends must be beyond doubt (RFC 9112 §6.3, §11.2).
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\ncontent-length: 4\r\n\r\nabcd", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4, 4\r\n\r\nabcd", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +4\r\n\r\nabcd", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -4\r\n\r\nabcd", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x4\r\n\r\nabcd", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \r\n\r\nabcd", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n0\r\n\r\n", 400),
        (
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
            400
        ),
        ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501),
        ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        // Lines (RFC 9112 §2.2, §5.1, §5.2).
        ("GET / HTTP/1.1\nHost: x\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nA: b\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nA[]: b\r\n\r\n", 400),
        // Request lines.
        ("GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("GET /  HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("GET /a\0b HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("G(T / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("GET /%2e%2e/a HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("GET a HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("GET * HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("CONNECT a:443 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        // Host (RFC 9112 §3.2).
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x/y\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: \r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nExpect: a miracle\r\n\r\n", 417),
        // Versions.
        ("GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505),
        ("GET / HTTP/0.9\r\nHost: x\r\n\r\n", 505),
        ("GET / http/1.1\r\nHost: x\r\n\r\n", 400),
    ])
    func refuses(_ request: String, status: Int) async throws {
        try await withServer(handler: handler) { server in
            // Whatever follows on the connection must not be taken for a request of its own.
            let text = try await server.everything(to: request + "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(isRefusal(text, status: status), "\(text)")
            #expect(!text.contains("reached"), "\(text)")
        }
    }

    /// Versions of libmicrohttpd after 0.9.75 refuse some of these by themselves: a transfer coding with 400, and with
    /// nothing but the end of the connection what does not look like HTTP.
    private func isRefusal(_ text: String, status: Int) -> Bool {
        text.isEmpty || text.hasPrefix("HTTP/1.1 \(status) ") || status == 501 && text.hasPrefix("HTTP/1.1 400 ")
    }

    @Test(arguments: [
        ("GET /a HTTP/1.1\r\nHost: x\r\n\r\n", "reached GET [\"a\"] x"),
        ("GET /a HTTP/1.0\r\n\r\n", "reached GET [\"a\"] -"),
        ("GET http://other:81/a HTTP/1.1\r\nHost: x\r\n\r\n", "reached GET [\"a\"] other:81"),
        ("\r\nGET /a HTTP/1.1\r\nhost:\t x \t\r\n\r\n", "reached GET [\"a\"] x"),
        ("BREW /a HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", "reached BREW [\"a\"] [::1]:80"),
        ("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "reached OPTIONS [] x"),
        ("GET /%C3%A4%20+ HTTP/1.1\r\nHost: x\r\n\r\n", "reached GET [\"ä +\"] x"),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", "reached POST [] x"),
    ])
    func accepts(_ request: String, text: String) async throws {
        try await withServer(handler: handler) { server in
            let answer = try await server.answer(to: request)
            #expect(answer.status == 200)
            #expect(answer.text == text)
        }
    }

    @Test func headersKeepTheirOrderAndEncodings() async throws {
        let handler: HTTPHandler = { request in
            .text(request.headers.map { "\($0.name)=\($0.value)" }.joined(separator: "|"))
        }
        try await withServer(handler: handler) { server in
            let client = try server.connect()
            try client.send(
                Array("GET / HTTP/1.1\r\nHost: x\r\nB: 1\r\na: ä\r\nb:2\r\nC: caf".utf8) + [0xE9]
                    + Array("\r\nD:\r\n\r\n".utf8))
            #expect(try await client.readAnswer().text == "Host=x|B=1|a=ä|b=2|C=café|D=")
        }
    }

    @Test(arguments: [
        (4_000, 0, 0, 200), (4_200, 0, 0, 414), (100_000, 0, 0, 414), (1, 8_000, 1, 200), (1, 8_200, 1, 431),
        (1, 100_000, 1, 431), (1, 1, 90, 200), (1, 1, 110, 431), (1, 1, 5_000, 431),
    ])
    func limitsTheHead(target: Int, field: Int, fields: Int, status: Int) async throws {
        try await withServer(handler: handler) { server in
            var request = "GET /" + String(repeating: "a", count: target) + " HTTP/1.1\r\nHost: x\r\n"
            for index in 0..<fields { request += "F\(index): " + String(repeating: "b", count: field) + "\r\n" }
            let client = try server.connect()
            // The server may close before it has read everything.
            try? client.send(request + "\r\n")
            #expect(try await client.readAnswer().status == status)
        }
    }

    @Test func requestsInARowAreAnsweredInOrder() async throws {
        try await withServer(handler: handler) { server in
            let client = try server.connect()
            var requests = ""
            for index in 0..<50 { requests += "GET /\(index) HTTP/1.1\r\nHost: x\r\n\r\n" }
            try client.send(requests)
            for index in 0..<50 {
                #expect(try await client.readAnswer().text == "reached GET [\"\(index)\"] x")
            }
        }
    }
}
