// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Diagnostics
import Foundation
import HTTPServer
import Networking
import TestKit
import Testing

@testable import ParleyServer

/// The operator's hook over HTTP, at a real server.
@Suite(.timeLimit(.minutes(5))) struct HookTests {
    /// 32 bytes.
    static let secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

    /// A request as it arrived.
    struct Call: Codable, Sendable {
        let headers: [String: String]
        let body: String

        var type: String? { body.firstMatch(of: /"type":"([a-z._]+)"/).map { String($0.output.1) } }
    }

    /// A listener whose answers the test chooses.
    private final class Listener: Sendable {
        private final class State: Sendable {
            let calls = Guarded([Call]())
            let answer = Guarded(Answers { _ in ServerResponse(status: 204) })
        }

        private struct Answers: Sendable {
            let answer: @Sendable (String) -> ServerResponse

            init(_ answer: @escaping @Sendable (String) -> ServerResponse) { self.answer = answer }
        }

        private let state = State()
        let server: HTTPServer
        let url: URL

        init() async throws {
            let state = state
            server = HTTPServer { request in
                let body = String(decoding: try await request.body.collect(upTo: 1 << 16), as: UTF8.self)
                let names = ["webhook-id", "webhook-timestamp", "webhook-signature", "Content-Type"]
                let call = Call(
                    headers: Dictionary(names.map { ($0, request.headers[$0] ?? "") }) { $1 }, body: body)
                state.calls.withLock { $0.append(call) }
                return state.answer.withLock { $0 }.answer(call.type ?? "")
            }
            url = try #require(URL(string: "http://\(try await server.start())/hook"))
        }

        var calls: [Call] { state.calls.withLock { $0 } }

        func answer(_ answer: @escaping @Sendable (String) -> ServerResponse) {
            state.answer.withLock { $0 = Answers(answer) }
        }

        func wait(for type: String, count: Int = 1) async throws {
            try await eventually("\(count) \(type)") { calls.count { $0.type == type } >= count }
        }
    }

    private func fixture(
        _ url: URL, home: TemporaryFolder? = nil, whenAway: HookOptions.WhenAway = .refuse,
        clock: AuthClock? = nil
    ) async throws -> ServerFixture {
        let secret = try #require(HookSecret(Self.secret))
        return try await ServerFixture(home: home) { options in
            var hook = HookOptions(url: url, secret: secret)
            hook.whenAway = whenAway
            options.hook = hook
            options.hookTimeLimit = .seconds(1)
            options.clock = clock ?? options.clock
        }
    }

    private func verify(_ fixture: ServerFixture, _ code: String) async throws -> Answer {
        try await fixture.post("/verify", ["type": "email", "email": "ada@example.org", "token": code])
    }

    @Test func `a sign-up asks and a sign-in tells, both signed`() async throws {
        let listener = try await Listener()
        let fixture = try await fixture(listener.url, clock: .system)
        let ada = try await fixture.signIn("ada@example.org")
        try await listener.wait(for: "user.signed_in")
        let calls = listener.calls
        #expect(calls.map(\.type) == ["user.signing_up", "user.signed_in"])
        #expect(calls.first?.body.contains(#""data":{"email":"ada@example.org"}"#) == true)
        #expect(calls.last?.body.contains(#""id":"\#(ada.account)""#) == true)
        #expect(Set(calls.compactMap { $0.headers["webhook-id"] }).count == 2)
        await fixture.stop()
        await listener.server.stop(grace: .zero)

        // Standard Webhooks' own library for Python checks the signatures.
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized.path
        let python = root + "/.venv-peers/bin/python"
        try #require(FileManager.default.isExecutableFile(atPath: python), "run Scripts/test-peers")
        let peer = try ChildProcess(
            python, [root + "/Tests/EndToEndTests/Fixtures/webhook_peer.py", Self.secret], input: .pipe,
            errors: .captured)
        for call in calls { peer.write(String(decoding: try JSONEncoder().encode(call), as: UTF8.self) + "\n") }
        let result = await peer.finished()
        #expect(result.output == "valid\nforged body refused\nvalid\nforged body refused\n", "\(result.errors)")
    }

    @Test func `a refusal has the hook's words`() async throws {
        let listener = try await Listener()
        listener.answer { _ in
            .bytes(Array(#"{"message":"Only\u0007 colleagues."}"#.utf8), status: 403, contentType: "application/json")
        }
        let fixture = try await fixture(listener.url)
        let mail = try await fixture.askForMail()
        #expect(listener.calls.isEmpty)
        let refused = try await verify(fixture, mail.code)
        let problem = try ServerFixture.problem(refused)
        #expect(refused.status == 403 && problem.errorCode == "hook_refused" && problem.detail == "Only colleagues.")
        listener.answer { _ in ServerResponse(status: 204) }
        #expect(try await verify(fixture, mail.code).status == 200)
        await fixture.stop()
        await listener.server.stop(grace: .zero)
    }

    @Test(arguments: HookOptions.WhenAway.allCases)
    func `a hook that is away follows the rule`(_ rule: HookOptions.WhenAway) async throws {
        let listener = try await Listener()
        listener.answer { type in ServerResponse(status: type == "user.signing_up" ? 500 : 204) }
        let fixture = try await fixture(listener.url, whenAway: rule)
        let mail = try await fixture.askForMail()
        let answer = try await verify(fixture, mail.code)
        #expect(answer.status == (rule == .allow ? 200 : 503))
        if rule == .refuse {
            #expect(
                try ServerFixture.problem(answer).errorCode == "hook_timeout" && answer.headers["Retry-After"] == "60")
        }
        await fixture.stop()
        await listener.server.stop(grace: .zero)
    }

    @Test func `a hook that does not answer is given up`() async throws {
        let gate = AsyncStream<Never>.makeStream()
        let server = HTTPServer { _ in
            for await _ in gate.stream {}
            return .noContent
        }
        let url = try #require(URL(string: "http://\(try await server.start())/"))
        let fixture = try await fixture(url)
        let mail = try await fixture.askForMail()
        #expect(try await verify(fixture, mail.code).status == 503)
        gate.continuation.finish()
        await fixture.stop()
        await server.stop(grace: .zero)
    }

    @Test func `what was not told is told by the next server`() async throws {
        let home = try TemporaryFolder()
        let listener = try await Listener()
        listener.answer { type in ServerResponse(status: type == "user.signing_up" ? 204 : 503) }
        let first = try await fixture(listener.url, home: home)
        _ = try await first.signIn("ada@example.org")
        try await listener.wait(for: "user.signed_in")
        await first.stop()
        // Neither the address nor the account is readable where it waits.
        let waiting = try Data(contentsOf: URL(filePath: home.path + "/mails.sqlite"))
        #expect(waiting.range(of: Data("ada@example.org".utf8)) == nil)
        let asked = listener.calls
        listener.answer { _ in ServerResponse(status: 204) }
        let second = try await ServerFixture(home: home) { options in
            options.hook = HookSecret(Self.secret).map { HookOptions(url: listener.url, secret: $0) }
            // Beyond the pause that follows a failure.
            options.clock = AuthClock { AuthTime(milliseconds: 1_767_225_600_000 + 3_600_000) }
        }
        try await listener.wait(for: "user.signed_in", count: asked.count { $0.type == "user.signed_in" } + 1)
        await second.stop()
        let told = listener.calls.filter { $0.type == "user.signed_in" }
        #expect(Set(told.compactMap { $0.headers["webhook-id"] }).count == 1 && Set(told.map(\.body)).count == 1)
        await listener.server.stop(grace: .zero)
    }

    @Test func `a secret has the form of Standard Webhooks`() {
        #expect(HookSecret(Self.secret) != nil)
        for text in ["", "whsec_", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "whsec_AAAA", "whsec_!"] {
            #expect(HookSecret(text) == nil, "\(text)")
        }
    }

    @Test func `the signature is the standard's example`() throws {
        // https://github.com/standard-webhooks/standard-webhooks: msg_p5jXN8AQM9LWM0D4loKWxJek.
        let secret = try #require(HookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signature = try HookClient.signature(
            of: Array(#"{"test": 2432232314}"#.utf8), id: "msg_p5jXN8AQM9LWM0D4loKWxJek", time: "1614265330", secret)
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }
}
