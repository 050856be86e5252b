// SPDX-License-Identifier: MIT

import Diagnostics
import Foundation
import Glibc
import Networking
import TestKit
import Testing

@testable import HTTPServer

@Suite struct ServerTests {
    @Test func answersGetAndPostOnOneConnection() async throws {
        var router = Router()
        router.get("/hello/{name}") { request in .text("hello \(try request.parameter("name"))") }
        router.post("/echo") { request in .bytes(try await request.body.collect()) }
        try await withServer(handler: router.handler) { server in
            let client = try server.connect()
            try client.send("GET /hello/you?a=b HTTP/1.1\r\nHost: x\r\nX-Request-Id: abc-12345\r\n\r\n")
            let first = try await client.readAnswer()
            #expect(first.status == 200)
            #expect(first.text == "hello you")
            #expect(first.headers["Content-Type"] == "text/plain; charset=utf-8")
            #expect(first.headers["X-Request-Id"] == "abc-12345")
            #expect(HTTPDate(try #require(first.headers["Date"]), now: Date()) != nil)
            try client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nX-Request-Id: <bad>\r\n\r\nbody")
            let second = try await client.readAnswer()
            #expect(second.text == "body")
            #expect(second.headers["X-Request-Id"]?.utf8.count == 24)
            try client.send(
                "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
            )
            #expect(try await client.readAnswer().text == "abcde")
            #expect(server.server.metrics.acceptedConnections == 1)
        }
    }

    @Test func errorsAreProblemDetails() async throws {
        struct Secret: Error { let password = "hunter2" }
        let ring = RingSink()
        var router = Router()
        router.get("/fails") { _ in throw Secret() }
        router.get("/problem") { _ in
            throw ServerProblem(
                status: 422, type: "https://example.org/p", detail: "Say it again.",
                members: ["attempts_left": .integer(3)], headers: ["Retry-After": "5"])
        }
        let logger = Logger(category: "http", sink: ring, revealsPrivate: true)
        try await withServer(logger: logger, handler: router.handler) { server in
            let transport = try server.transport()
            for (path, status) in [("/fails", 500), ("/problem", 422), ("/nothing", 404), ("/%ff/x", 400)] {
                let response = try await transport.send(HTTPRequest(.get, try server.url(path)))
                let body = try await response.body.collect(upTo: 1 << 16)
                #expect(response.status == status)
                #expect(response.headers["Content-Type"] == "application/problem+json")
                let problem = try JSONDecoder().decode(ProblemDetails.self, from: Data(body))
                #expect(problem.status == status)
                #expect(problem.title?.isEmpty == false)
                let text = String(decoding: body, as: UTF8.self)
                let id = try #require(response.headers["X-Request-Id"])
                #expect(text.contains("\"request_id\":\"\(id)\""))
                #expect(!text.contains("hunter2") && !text.contains("Secret"))
                if status == 422 {
                    #expect(text.contains("\"attempts_left\":3"))
                    #expect(response.headers["Retry-After"] == "5")
                }
                if status == 500 {
                    #expect(
                        ring.snapshot().contains { record in
                            record.message.text.contains("hunter2") && record.metadata["request"]?.text == id
                        })
                }
            }
        }
    }

    @Test func headAndEmptyStatusesHaveNoBody() async throws {
        var router = Router()
        router.get("/text") { _ in .text("four") }
        router.get("/stream") { _ in
            .stream { _ in Issue.record("a body was written for HEAD") }
        }
        router.get("/none") { _ in .noContent }
        try await withServer(handler: router.handler) { server in
            let client = try server.connect()
            try client.send("HEAD /text HTTP/1.1\r\nHost: x\r\n\r\n")
            let head = try await client.readAnswer(hasBody: false)
            #expect(head.status == 200)
            #expect(head.headers["Content-Length"] == "4")
            // Of unknown length: nothing may follow the header.
            let stream = try await server.everything(to: "HEAD /stream HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(stream.hasPrefix("HTTP/1.1 200 ") && stream.hasSuffix("\r\n\r\n"))
            #expect(!stream.contains("Content-Length") && !stream.contains("\r\n0\r\n"))
            try client.send("GET /none HTTP/1.1\r\nHost: x\r\n\r\n")
            let none = try await client.readAnswer()
            #expect(none.status == 204)
            #expect(!none.headers.contains(name: "Content-Length"))
            try client.send("GET /text HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(String(decoding: try await client.readToEnd(), as: UTF8.self).hasSuffix("\r\n\r\nfour"))
        }
    }

    @Test(arguments: [
        HTTPHeaders([.init(name: "X-A", value: "a\r\nSet-Cookie: b")]), [" X": "a"], ["X:Y": "a"], ["X": "a\0b"],
        ["X": "a\nb"],
    ])
    func noHandlerCanInjectAHeader(_ headers: HTTPHeaders) async throws {
        try await withServer(handler: { _ in ServerResponse(headers: headers) }) { server in
            let answer = try await server.answer(to: "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(answer.status == 500)
            #expect(!answer.headers.contains(name: "Set-Cookie"))
        }
    }

    @Test func severalServersRunAtOnce() async throws {
        try await withServer(handler: { _ in .text("one") }) { first in
            try await withServer(handler: { _ in .text("two") }) { second in
                let answers = (
                    try await first.answer(to: "GET / HTTP/1.0\r\n\r\n"),
                    try await second.answer(to: "GET / HTTP/1.0\r\n\r\n")
                )
                #expect(answers.0.text == "one")
                #expect(answers.1.text == "two")
            }
        }
    }

    @Test func listensOnIPv6() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.host = "::1"
        try await withServer(
            configuration, handler: { .text($0.remoteAddress?.host ?? "?") },
            body: { server in
                let client = try RawClient(port: server.port, version6: true)
                try client.send("GET / HTTP/1.1\r\nHost: [::1]\r\n\r\n")
                #expect(try await client.readAnswer().text == "::1")
            })
    }

    /// In a process of its own, which has no descriptors for a part of the server, then for a larger one.
    @Test(.timeLimit(.minutes(5))) func `a start that fails leaks no descriptor`() async throws {
        await #expect(processExitsWith: .success) {
            func limit(_ count: UInt) {
                var limit = rlimit(rlim_cur: rlim_t(count), rlim_max: 1_024)
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            }
            func descriptors(of kind: String) throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
                    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
                    return target?.hasPrefix(kind) == true
                }
            }
            // Dispatch traps where it cannot open its own descriptors: two timers', with its first work and the first sleep,
            // and the main queue's, when the main thread ends or the run loop is made.
            try await eventually { try descriptors(of: "anon_inode:[timerfd]") > 1 }
            _ = RunLoop.main
            limit(1_024)
            let (before, highest) = (try descriptors(of: ""), open("/dev/null", O_RDONLY))
            close(highest)
            for count in UInt(highest)...UInt(highest) + 24 {
                let server = HTTPServer { _ in .noContent }
                limit(count)
                let port = try? await server.start().port
                limit(1_024)
                if port != nil { return }
                // The watch closes its files a moment later, on its thread.
                try await eventually("all are closed at a limit of \(count)") { try descriptors(of: "") <= before }
            }
            Issue.record("it never started")
        }
    }

    @Test func startingSaysWhatIsWrong() async throws {
        try await withServer(handler: { _ in .noContent }) { server in
            var configuration = HTTPServerConfiguration.patient
            configuration.port = server.port
            let taken = HTTPServer(configuration: configuration) { _ in .noContent }
            let error = await #expect(throws: HTTPServerError.self) { try await taken.start() }
            #expect(error?.code == .addressInUse)
            let again = await #expect(throws: HTTPServerError.self) { try await server.server.start() }
            #expect(again?.code == .alreadyStarted)
            configuration.host = "localhost"
            let named = HTTPServer(configuration: configuration) { _ in .noContent }
            let name = await #expect(throws: HTTPServerError.self) { try await named.start() }
            #expect(name?.code == .addressUnavailable)
        }
    }
}
