// SPDX-License-Identifier: MIT

import Concurrency
import HTTPServer
import LocalPage
import Networking
import Testing

@Suite("The guard of a page") struct PageGuardTests {
    private let keys = PageKeys()

    private var router: Router {
        var router = Router()
        router.use(PageGuard(keys, port: { 7_000 }).middleware)
        router.exchangeTokens(of: keys)
        router.serve([PageFile(name: "index.html", bytes: Array("page".utf8)), PageFile(name: "a.js", bytes: [])])
        router.get("/api/data") { _ in .text("data") }
        router.post("/api/data") { _ in .text("done") }
        router.delete("/api/data") { _ in .noContent }
        return router
    }

    private func status(
        _ method: HTTPMethod, _ path: [String], host: String? = "127.0.0.1:7000", _ headers: HTTPHeaders = [:],
        body: String = ""
    ) async throws -> Int {
        let request = ServerRequest(
            method: method, path: path, headers: headers, host: host, body: RequestBody(Array(body.utf8)))
        return try await router.handler(request).status
    }

    private func session() throws -> String { try #require(try keys.session(for: try keys.makeToken())) }

    private func own(_ headers: HTTPHeaders = [:]) throws -> HTTPHeaders {
        var all: HTTPHeaders = [
            "Authorization": "Bearer \(try session())", "Content-Type": "application/json",
            "Sec-Fetch-Site": "same-origin",
        ]
        for field in headers { all[field.name] = field.value }
        return all
    }

    @Test func `the page's own requests pass`() async throws {
        #expect(try await status(.get, []) == 200)
        #expect(try await status(.get, ["api", "data"], try own()) == 200)
        #expect(try await status(.get, ["api", "data"], host: "LOCALHOST:7000", try own()) == 200)
        #expect(try await status(.post, ["api", "data"], try own()) == 200)
        #expect(try await status(.post, ["api", "data"], try own(["Origin": "http://127.0.0.1:7000"])) == 200)
        #expect(try await status(.delete, ["api", "data"], try own()) == 204)
    }

    @Test(arguments: [
        nil, "evil.example:7000", "127.0.0.1", "127.0.0.1:7001", "0.0.0.0:7000", "127.0.0.1.evil.example:7000",
        "[::1]:7000", "127.0.0.1:7000.evil.example", "localhost",
    ])
    func `another host's name is refused`(host: String?) async throws {
        #expect(try await status(.get, [], host: host) == 403)
        #expect(try await status(.get, ["api", "data"], host: host, try own()) == 403)
    }

    @Test(
        arguments: [
            ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Origin": "https://evil.example"],
            ["Origin": "null"], ["Origin": "http://localhost:7000"], ["Origin": "http://127.0.0.1:7001"],
            ["Origin": "http://127.0.0.1:7000.evil.example"],
            ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"],
        ] as [HTTPHeaders])
    func `another page's request is refused, even with a session`(fields: HTTPHeaders) async throws {
        for method in [HTTPMethod.get, .post, .delete] {
            #expect(try await status(method, ["api", "data"], try own(fields)) == 403)
        }
        if fields["Sec-Fetch-Mode"] == nil { #expect(try await status(.get, ["a.js"], fields) == 403) }
    }

    @Test func `a link of another site may open the page, and nothing else`() async throws {
        let followed: HTTPHeaders = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"]
        #expect(try await status(.get, [], followed) == 200)
        #expect(try await status(.post, [], followed) == 403)
    }

    @Test func `what changes something says where it comes from`() async throws {
        var fields = try own()
        fields["Sec-Fetch-Site"] = nil
        #expect(try await status(.get, ["api", "data"], fields) == 200)
        #expect(try await status(.post, ["api", "data"], fields) == 403)
        #expect(try await status(.delete, ["api", "data"], fields) == 403)
    }

    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""])
    func `a body that a form can send is refused`(type: String) async throws {
        #expect(try await status(.post, ["api", "data"], try own(["Content-Type": type])) == 415)
    }

    @Test(arguments: [nil, "Bearer", "Bearer x", "Basic x", "Bearer x y"])
    func `without a session there are no data`(field: String?) async throws {
        var fields = try own()
        fields["Authorization"] = field
        #expect(try await status(.get, ["api", "data"], fields) == 401)
    }

    @Test func `a token opens the page once, through the address alone`() async throws {
        let token = try keys.makeToken()
        let fields: HTTPHeaders = ["Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"]
        let body = #"{"token":"\#(token)"}"#
        #expect(try await status(.post, ["api", "session"], fields, body: #"{"token":"guessed"}"#) == 403)
        #expect(try await status(.post, ["api", "session"], fields, body: body) == 200)
        #expect(try await status(.post, ["api", "session"], fields, body: body) == 403)
        #expect(try await status(.get, ["api", "data"], ["Authorization": "Bearer \(token)"]) == 401)
        #expect(try await status(.post, ["api", "session"], fields, body: "{") == 400)
    }

    @Test func `each answer, also an error, keeps itself from other pages`() async throws {
        for path in [[], ["api", "data"], ["nothing"]] as [[String]] {
            let response = try await router.handler(ServerRequest(path: path, host: "127.0.0.1:7000"))
            let policy = try #require(response.headers["Content-Security-Policy"])
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe"))
            #expect(response.headers["X-Content-Type-Options"] == "nosniff")
            #expect(response.headers["Cross-Origin-Resource-Policy"] == "same-origin")
            #expect(response.headers["Cache-Control"] == "no-store")
            #expect(response.headers["Access-Control-Allow-Origin"] == nil)
            #expect(response.headers["Set-Cookie"] == nil)
        }
    }
}
