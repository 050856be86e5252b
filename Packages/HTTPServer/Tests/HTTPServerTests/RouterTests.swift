// SPDX-License-Identifier: MIT

import HTTPServer
import Networking
import Testing

@Suite struct RouterTests {
    private func router() -> Router {
        var router = Router()
        router.get("/") { _ in .text("root") }
        router.get("/sessions/{id}") { request in .text("session \(try request.parameter("id"))") }
        router.get("/sessions/current") { _ in .text("current") }
        router.delete("/sessions/{id}") { _ in .noContent }
        router.get("/files/{path...}") { request in .text(try request.parameter("path")) }
        router.post("/notes/", bodyLimit: 3) { request in .bytes(try await request.body.collect()) }
        return router
    }

    private func send(
        _ method: HTTPMethod, _ path: [String], body: RequestBody = RequestBody([])
    ) async throws -> ServerResponse {
        try await router().handler(ServerRequest(method: method, path: path, body: body))
    }

    private func text(_ response: ServerResponse) -> String {
        guard case .bytes(let bytes) = response.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func problem(_ method: HTTPMethod, _ path: [String]) async -> ServerProblem? {
        await #expect(throws: ServerProblem.self) { try await send(method, path) }
    }

    @Test(arguments: [HTTPMethod.put, .patch]) func `put and patch take a body`(method: HTTPMethod) async throws {
        var router = Router()
        router.put("/drafts/{id}", bodyLimit: 3) { request in .bytes(try await request.body.collect()) }
        router.patch("/drafts/{id}", bodyLimit: 3) { request in .bytes(try await request.body.collect()) }
        let request = ServerRequest(method: method, path: ["drafts", "7"], body: RequestBody(Array("new".utf8)))
        #expect(text(try await router.handler(request)) == "new")
    }

    @Test func findsRoutesAndTheirParameters() async throws {
        #expect(text(try await send(.get, [])) == "root")
        #expect(text(try await send(.get, ["sessions", "a b"])) == "session a b")
        #expect(text(try await send(.get, ["files", "a", "b", ""])) == "a/b/")
        #expect(try await send(.delete, ["sessions", "7"]).status == 204)
    }

    @Test func aLiteralGoesBeforeAParameterWhateverTheOrder() async throws {
        #expect(text(try await send(.get, ["sessions", "current"])) == "current")
        // The method decides among those whose path matches.
        #expect(try await send(.delete, ["sessions", "current"]).status == 204)
    }

    @Test(arguments: [["nothing"], ["sessions"], ["sessions", ""], ["sessions", "1", ""], ["files"], ["notes"]])
    func otherPathsAreNotFound(_ path: [String]) async {
        #expect(await problem(.get, path)?.status == 404)
    }

    @Test func otherMethodsAreToldWhatIsAllowed() async throws {
        let refusal = await problem(.put, ["sessions", "1"])
        #expect(refusal?.status == 405)
        #expect(refusal?.headers["Allow"] == "DELETE, GET, HEAD, OPTIONS")
        #expect(await problem(HTTPMethod(rawValue: "BREW"), ["sessions", "1"])?.status == 405)
        let options = try await send(.options, ["sessions", "1"])
        #expect(options.status == 204)
        #expect(options.headers["Allow"] == "DELETE, GET, HEAD, OPTIONS")
        let all = try await router().handler(ServerRequest(method: .options, isAsterisk: true))
        #expect(all.headers["Allow"] == "DELETE, GET, HEAD, OPTIONS, POST")
    }

    @Test func headIsAnsweredByGet() async throws {
        #expect(text(try await send(.head, [])) == "root")
        #expect(await problem(.head, ["notes", ""])?.status == 405)
    }

    @Test func aRouteLimitsItsBody() async throws {
        #expect(try await send(.post, ["notes", ""], body: RequestBody([1, 2, 3])).status == 200)
        let refusal = await #expect(throws: ServerProblem.self) {
            try await send(.post, ["notes", ""], body: RequestBody([1, 2, 3, 4]))
        }
        #expect(refusal?.status == 413)
    }

    @Test func middlewaresWrapInTheirOrder() async throws {
        var router = Router()
        router.get("/") { _ in .text("x") }
        for name in ["outer", "inner"] {
            router.use { next in
                { request in
                    var response = try await next(request)
                    response.headers.add(name: "Trace", value: name)
                    return response
                }
            }
        }
        let response = try await router.handler(ServerRequest())
        #expect(response.headers.values(for: "Trace") == ["inner", "outer"])
    }
}
