// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Concurrency
import Diagnostics
import Foundation
import Networking
import TestKit
import Testing

@testable import ParleyServer

/// GoTrue's administration, behind a service token.
@Suite(.timeLimit(.minutes(5))) struct AdministrationTests {
    private struct User: Decodable {
        let id: String
        let email: String
        let bannedUntil: String?

        enum CodingKeys: String, CodingKey {
            case id, email
            case bannedUntil = "banned_until"
        }
    }

    private struct Users: Decodable {
        let users: [User]
        let aud: String
    }

    private func makeFixture(
        _ place: ServerOptions.Administration = .operator, logger: Logger = .disabled,
        _ change: (inout ServerOptions) -> Void = { _ in }
    ) async throws -> (fixture: ServerFixture, token: String) {
        let fixture = try await ServerFixture(logger: logger) { options in
            options.administration = place
            options.metrics = ("127.0.0.1", 0)
            change(&options)
        }
        return (fixture, try await token(fixture).token)
    }

    private func token(_ fixture: ServerFixture) async throws -> ServiceTokenReport {
        var options = ServerOptions(home: fixture.home.path, mail: .folder(""))
        options.clock = fixture.clock.clock
        let administration = try await ServerAdministration.open(options)
        return try await withCleanup {
            try administration.issueToken(lifetime: .seconds(3_600))
        } cleanup: {
            await administration.close()
        }
    }

    @Test func `a deletion that was begun is finished and recorded`() async throws {
        let (fixture, _) = try await makeFixture()
        let ada = try await fixture.signIn("ada@example.org")
        var options = ServerOptions(home: fixture.home.path, mail: .folder(""))
        options.clock = fixture.clock.clock
        let administration = try await ServerAdministration.open(options)
        let deletion = Task {
            let report = try await administration.delete(ada.account)
            await administration.close()
            return report
        }
        deletion.cancel()
        let receipt = try await deletion.value.receipt
        let reader = try await ServerAdministration.open(options)
        let events = try await reader.auditEvents(since: nil, account: nil, limit: 100).events
        #expect(events.contains { $0.details["receipt"] == receipt })
        await reader.close()
        await fixture.stop()
    }

    /// A request at the operator's listener.
    private func call(
        _ fixture: ServerFixture, _ method: HTTPMethod, _ path: String, _ token: String?, json: String? = nil
    ) async throws -> Answer {
        let address = try #require(fixture.server.metricsAddress)
        let url = try #require(URL(string: address + path))
        var headers: HTTPHeaders = [:]
        if let token { headers["Authorization"] = "Bearer \(token)" }
        if json != nil { headers["Content-Type"] = "application/json" }
        let response = try await fixture.client.send(
            HTTPRequest(method, url, headers: headers, body: json.map { .bytes(Array($0.utf8)) } ?? .none))
        return (response.status, response.headers, try await response.body.collect(upTo: 1 << 20))
    }

    /// The operations of docs/api/admin.yaml, as method and path.
    private static func documented() throws -> Set<String> {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/api/admin.yaml")
        var (operations, path) = (Set<String>(), "")
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            if let match = line.wholeMatch(of: /\ \ (\/[^ :]*):/) { path = String(match.output.1) }
            if line.wholeMatch(of: /[a-z]+:/) != nil { path = "" }
            if !path.isEmpty, let match = line.wholeMatch(of: /\ {4}(get|put|post|patch|delete|head|options):/) {
                operations.insert("\(match.output.1.uppercased()) \(path)")
            }
        }
        return operations
    }

    @Test func `it is off unless it is switched on`() async throws {
        let (off, token) = try await makeFixture(.off)
        for path in ["/admin/users", "/invite"] {
            #expect(try await off.get(path, token: token).status == 404)
            #expect(try await call(off, .get, path, token).status == 404)
        }
        let plain = Set(off.server.operatorRoutes.map { "\($0.method.rawValue) \($0.pattern)" })
        await off.stop()
        let (fixture, own) = try await makeFixture()
        #expect(try await fixture.get("/admin/users", token: own).status == 404)
        #expect(try await call(fixture, .get, "/admin/users", own).status == 200)
        let routes = Set(fixture.server.operatorRoutes.map { "\($0.method.rawValue) \($0.pattern)" })
        let documented = try Self.documented().union(["POST /logout"])
        #expect(routes.subtracting(plain) == documented, "\(routes.symmetricDifference(documented).sorted())")
        await fixture.stop()
        let (open, other) = try await makeFixture(.public)
        #expect(try await open.get("/admin/users", token: other).status == 200)
        #expect(try await call(open, .get, "/admin/users", other).status == 404)
        await open.stop()
        await #expect(throws: ServerSetupError.noOperatorListener) {
            _ = try await ServerFixture { $0.administration = .operator }
        }
    }

    @Test func `no route opens without a service token`() async throws {
        let (fixture, token) = try await makeFixture()
        let ada = try await fixture.signIn("ada@example.org")
        let late = try await self.token(fixture)
        let administration = try await ServerAdministration.open(
            ServerOptions(home: fixture.home.path, mail: .folder("")))
        try await administration.revokeToken(late.id)
        await administration.close()
        let strangers: [(String?, Int, String)] = [
            (nil, 401, "no_authorization"), ("nonsense", 401, "bad_jwt"), (ada.token, 403, "not_admin"),
            (late.token, 401, "bad_jwt"),
        ]
        for route in try Self.documented() where !route.hasSuffix(" /logout") {
            let parts = route.split(separator: " ").map(String.init)
            let path = parts[1].replacing("{id}", with: ada.account)
            for (stranger, status, code) in strangers {
                let answer = try await call(
                    fixture, HTTPMethod(rawValue: parts[0]), path, stranger, json: parts[0] == "GET" ? nil : "{}")
                let problem = try ServerFixture.problem(answer)
                #expect(answer.status == status && problem.errorCode == code, "\(route)")
            }
        }
        #expect(try await call(fixture, .get, "/admin/users", token).status == 200)
        // A rotated key ends tokens, once the retired key is gone.
        try await ParleyServer.rotateKeys(home: fixture.home.path, clock: fixture.clock.clock)
        fixture.clock.advance(by: .seconds(1_000))
        try await fixture.server.reloadKeys()
        #expect(try await call(fixture, .get, "/admin/users", token).status == 401)
        await fixture.stop()
    }

    @Test func `pages have links and the number of all`() async throws {
        let (fixture, token) = try await makeFixture()
        for name in ["ada", "bob", "cyd"] {
            let answer = try await call(
                fixture, .post, "/admin/users", token, json: #"{"email":"\#(name)@example.org"}"#)
            #expect(answer.status == 200)
            fixture.clock.advance(by: .seconds(1))
        }
        let first = try await call(fixture, .get, "/admin/users?page=1&per_page=2", token)
        let page: Users = try decoded(first)
        #expect(page.users.map(\.email) == ["cyd@example.org", "bob@example.org"] && page.aud == "authenticated")
        let base = try #require(fixture.server.metricsAddress) + "/admin/users"
        #expect(first.headers["X-Total-Count"] == "3")
        #expect(
            first.headers["Link"]
                == "<\(base)?page=2&per_page=2>; rel=\"next\", <\(base)?page=2&per_page=2>; rel=\"last\"")
        let second = try await call(fixture, .get, "/admin/users?page=2&per_page=2", token)
        #expect(second.headers["Link"] == "<\(base)?page=2&per_page=2>; rel=\"last\"")
        let found: Users = try decoded(try await call(fixture, .get, "/admin/users?filter=BOB", token))
        #expect(found.users.map(\.email) == ["bob@example.org"])
        for query in ["page=0", "per_page=1001", "page=x"] {
            #expect(try await call(fixture, .get, "/admin/users?\(query)", token).status == 400, "\(query)")
        }
        await fixture.stop()
    }

    @Test func `an account is blocked, freed, signed out and deleted`() async throws {
        let ring = RingSink(capacity: 10_000)
        let (fixture, token) = try await makeFixture(logger: Logger(category: "server", sink: ring))
        let ada = try await fixture.signIn("ada@example.org")
        try await fixture.upload(SoundSample(300), as: ada)
        let path = "/admin/users/\(ada.account)"
        let blocked: User = try decoded(try await call(fixture, .put, path, token, json: #"{"ban_duration":"1h30m"}"#))
        #expect(blocked.bannedUntil == "2026-01-01T01:30:00Z")
        let refused = try ServerFixture.problem(try await fixture.get("/user", token: ada.token))
        #expect(refused.status == 403 && refused.errorCode == "user_banned")
        let free: User = try decoded(try await call(fixture, .put, path, token, json: #"{"ban_duration":"none"}"#))
        #expect(free.bannedUntil == nil)
        let again = try await fixture.signIn("ada@example.org")
        #expect(try await call(fixture, .post, path + "/logout", token, json: "{}").status == 204)
        #expect(try await fixture.get("/user", token: again.token).status == 403)
        let deleted = try await call(fixture, .delete, path, token, json: #"{"should_soft_delete":false}"#)
        #expect(deleted.status == 200 && text(deleted).contains("receipt"))
        #expect(try await call(fixture, .get, path, token).status == 404)
        #expect(try fixture.soundFiles.isEmpty)
        await fixture.stop()
        let acts = ring.snapshot().filter { $0.message.text == "administration" }
        #expect(acts.compactMap { $0.metadata["action"]?.text } == ["change", "change", "sign-out", "delete"])
        #expect(acts.allSatisfy { $0.metadata["actor"]?.text == "operator" && $0.metadata["token"] != nil })
        #expect(acts.last?.metadata["receipt"] != nil && acts.first?.metadata["account"]?.text == ada.account)
    }

    @Test(arguments: [
        #"{"password":"x"}"#, #"{"phone":"1"}"#, #"{"role":"service_role"}"#, #"{"email":"eve@example.org"}"#,
        #"{"app_metadata":{}}"#, #"{"phone_confirm":true}"#, #"{"ban_duration":"-1h"}"#, #"{"ban_duration":"1"}"#,
        #"{"ban_duration":"99999999999999999999h"}"#, #"{"ban_duration":""}"#, #"{"user_metadata":3}"#, "[]",
    ])
    func `a change that the server cannot make is refused`(_ json: String) async throws {
        let (fixture, token) = try await makeFixture()
        let ada = try await fixture.signIn("ada@example.org")
        #expect(try await call(fixture, .put, "/admin/users/\(ada.account)", token, json: json).status == 400)
        await fixture.stop()
    }

    @Test func `calls of one network are limited`() async throws {
        let (fixture, token) = try await makeFixture { $0.administrationCallsPerMinute = 3 }
        for _ in 0..<3 { #expect(try await call(fixture, .get, "/admin/users", "guess").status == 401) }
        let answer = try await call(fixture, .get, "/admin/users", token)
        #expect(answer.status == 429 && answer.headers["Retry-After"] != nil)
        await fixture.stop()
    }
}
