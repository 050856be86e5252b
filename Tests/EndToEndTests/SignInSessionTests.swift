// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Foundation
import HTTPServer
import NetworkingTestSupport
import TestKit
import Testing

/// What comes after signing in: several machines, several processes, and the end.
@Suite(.timeLimit(.minutes(5))) struct SignInSessionTests {
    private let fixture: SignInFixture

    init() throws { fixture = try SignInFixture() }

    /// Runs parley as another machine of the same person would.
    private func elsewhere(_ arguments: String...) async throws -> ParleyProcess.Result {
        let environment = ["PARLEY_SERVER": fixture.server.address, "PARLEY_HOME": fixture.parley.path("elsewhere")]
        return try await fixture.parley.start(arguments, environment: environment).finished()
    }

    private func signInElsewhere(mail number: Int) async throws {
        #expect(try await elsewhere("sign-in", SignInFixture.email, "--no-wait").code == 0)
        #expect(try await elsewhere("verify", fixture.server.mail(number).code).code == 0)
    }

    private func sessions() async throws -> [[String: Any]] {
        let list = try await fixture.run("sessions", "list", "--json")
        try #require(list.code == 0, "\(list.output)")
        return try #require(list.events.first?["sessions"] as? [[String: Any]])
    }

    @Test func sessionsAreListedAndRevoked() async throws {
        try await fixture.signIn()
        try await signInElsewhere(mail: 2)
        let both = try await sessions()
        #expect(both.count == 2 && both.filter { $0["isCurrent"] as? Bool == true }.count == 1)
        #expect(both.allSatisfy { ($0["device"] as? String)?.hasPrefix("parley/") == true })
        #expect(both.allSatisfy { $0["createdAt"] is String && $0["lastUsedAt"] is String })
        let text = try await fixture.run("sessions", "list").output
        #expect(text.split(separator: "\n").count == 2 && text.contains("* "))

        let ids = Dictionary(grouping: both) { $0["isCurrent"] as? Bool == true }
        let own = try #require(ids[true]?.first?["id"] as? String)
        let other = try #require(ids[false]?.first?["id"] as? String)
        let mine = try await fixture.run("sessions", "revoke", own)
        #expect(mine.code == 3 && mine.errors.contains("parley sign-out"), "\(mine.errors)")
        #expect(try await fixture.run("sessions", "revoke", "nonsense").code == 3)
        let revoked = try await fixture.run("sessions", "revoke", String(other.prefix(13)), "--json")
        #expect(revoked.code == 0 && revoked.events.first?["revoked"] as? [String] == [other], "\(revoked.output)")
        let gone = try await elsewhere("whoami")
        #expect(gone.code == 3 && gone.errors.contains("This session has ended"), "\(gone.errors)")
        #expect(try await sessions().count == 1)

        // Who was signed out from elsewhere signs in again without more ado.
        try await signInElsewhere(mail: 3)
        let others = try await fixture.run("sessions", "revoke", "--others")
        #expect(others.code == 0 && others.output == "Ended 1 session.\n", "\(others.errors)")
        #expect(try await elsewhere("whoami").code == 3)
        #expect(try await fixture.whoami().code == 0)
    }

    @Test func signingOutEndsTheSessionAtTheServerToo() async throws {
        try await fixture.signIn()
        let folder = fixture.parley.path("home")
        let copy = fixture.parley.path("elsewhere")
        try FileManager.default.copyItem(atPath: folder, toPath: copy)
        #expect(try await fixture.run("sign-out", "--json").events.first?["isServerTold"] as? Bool == true)
        #expect(try await fixture.run("whoami").code == 3)
        // Whoever has a copy of everything has nothing.
        let stolen = try await elsewhere("whoami")
        #expect(stolen.code == 3 && stolen.errors.contains("ended"), "\(stolen.errors)")
    }

    @Test func signingOutEverywhereEndsAll() async throws {
        try await fixture.signIn()
        try await signInElsewhere(mail: 2)
        let out = try await fixture.run("sign-out", "--everywhere")
        #expect(out.code == 0 && out.output == "Signed out everywhere.\n", "\(out.errors)")
        #expect(try await fixture.run("whoami").code == 3)
        #expect(try await elsewhere("whoami").code == 3)
    }

    @Test func eightAtOnceShareTheSession() async throws {
        try await fixture.signIn()
        let runs = try (0..<8).map { _ in try fixture.start(["whoami", "--json"]) }
        for run in runs {
            let result = await run.finished()
            #expect(result.code == 0, "\(result.output)\(result.errors)")
        }
        #expect(try await fixture.whoami() == (0, SignInFixture.email))
        #expect(try await sessions().count == 1)
    }

    @Test func noTokenIsShownTwiceHoweverManyAreAtIt() async throws {
        let strict = StrictServer()
        let server = HTTPServer(handler: strict.router.handler)
        let environment = ["PARLEY_SERVER": "http://\(try await server.start())"]
        func start(_ words: String...) throws -> ChildProcess {
            try fixture.parley.start(words, environment: environment)
        }
        #expect(try await start("sign-in", SignInFixture.email, "--no-wait").finished().code == 0)
        #expect(try await start("verify", "123456").finished().code == 0)
        let before = strict.exchanges
        for _ in 0..<3 {
            let runs = try (0..<8).map { _ in try start("whoami") }
            for run in runs { #expect(await run.finished().code == 0) }
        }
        #expect(strict.exchanges == before + 24 && strict.isOpen)
        await server.stop(grace: .zero)
    }

    /// The server has exchanged the token, and whoever asked is killed before the answer is there.
    @Test func aRefreshThatIsKilledLosesNothing() async throws {
        // The first two connections are those of signing in; later answers do not come until the process is killed. On a
        // busy machine it may have given up and asked again by then.
        let isStalling = Guarded(true)
        let proxy = try FaultProxy(upstream: .port(fixture.server.port)) { number in
            number >= 2 && isStalling.withLock(\.self) ? Fault(.stall, .beforeResponse) : nil
        }
        defer { proxy.close() }
        let environment = ["PARLEY_SERVER": "http://127.0.0.1:\(proxy.port)"]
        func run(_ arguments: String...) async throws -> ParleyProcess.Result {
            try await fixture.parley.start(arguments, environment: environment).finished()
        }
        #expect(try await run("sign-in", SignInFixture.email, "--no-wait").code == 0)
        #expect(try await run("verify", fixture.server.mail().code).code == 0)
        let killed = try fixture.parley.start(["whoami"], environment: environment)
        try await eventually {
            let metrics = try await fixture.metrics()
            return (1...9).contains { metrics.contains(#"route="/token",method="POST",status="2xx"} \#($0)"#) }
        }
        #expect(proxy.connectionCount >= 3)
        killed.kill()
        #expect(await killed.finished().code != 0)
        isStalling.withLock { $0 = false }
        let after = try await run("whoami")
        #expect(after.code == 0 && after.output.contains(SignInFixture.email), "\(after.errors)")
    }
}

/// A server that forgives nothing: a refresh token that is shown a second time ends the session.
private final class StrictServer: Sendable {
    private struct State {
        var exchanges = 0
        var isOpen = true
    }

    private struct User: Encodable {
        let id = "7"
        let email = SignInFixture.email
    }

    private struct Tokens: Encodable {
        let accessToken: String
        let refreshToken: String
        let user = User()

        private enum CodingKeys: String, CodingKey {
            case user
            case accessToken = "access_token"
            case refreshToken = "refresh_token"
        }

        init(_ generation: Int) {
            (accessToken, refreshToken) = ("access\(generation)", "refresh\(generation)")
        }
    }

    private let state = Guarded(State())

    var exchanges: Int { state.withLock(\.exchanges) }
    var isOpen: Bool { state.withLock(\.isOpen) }

    var router: Router {
        var router = Router()
        router.post("/otp") { _ in try .json([String: String]()) }
        router.post("/verify") { _ in try .json(Tokens(0)) }
        router.get("/user") { _ in try .json(User()) }
        router.post("/token") { [self] request in
            let shown = try await request.body.json([String: String].self)["refresh_token"]
            let next = state.withLock { state -> Int? in
                state.isOpen = state.isOpen && shown == "refresh\(state.exchanges)"
                guard state.isOpen else { return nil }
                state.exchanges += 1
                return state.exchanges
            }
            guard let next else {
                throw ServerProblem(
                    status: 400, detail: "Used.", members: ["error_code": .string("refresh_token_already_used")])
            }
            return try .json(Tokens(next))
        }
        return router
    }
}
