// SPDX-License-Identifier: MIT

import Diagnostics
import Domain
import DomainTestSupport
import Foundation
import Networking
import ParleyServer
import PostgresTestSupport
import PracticeWire
import SyncWire
import TestKit
import Testing

/// The whole server on PostgreSQL.
@Suite(.timeLimit(.minutes(5))) struct PostgresServerTests {
    private struct Report: Decodable {
        let status: String
        let checks: [String: String]
    }

    private func databaseCheck(_ fixture: ServerFixture) async throws -> (status: Int, check: String?) {
        let answer = try await fixture.get("/readyz")
        return (answer.status, try JSONDecoder().decode(Report.self, from: Data(answer.body)).checks["databases"])
    }

    private func refresh(_ fixture: ServerFixture, _ token: String) async throws -> ServerFixture.Tokens {
        try await fixture.tokens("/token?grant_type=refresh_token", ["refresh_token": token])
    }

    @Test func `a person signs in, practises, records and syncs`() async throws {
        let url = try await DatabaseKind.newPostgresURL()
        let home = try TemporaryFolder()
        let evaluation = PracticeSamples.evaluation()
        func start() async throws -> ServerFixture {
            try await ServerFixture(home: home) { options in
                options.database = url
                options.publicAddress = "http://127.0.0.1:1"
                options.evaluator = FixedEvaluator(evaluation: evaluation)
            }
        }
        let fixture = try await start()
        #expect(try await databaseCheck(fixture) == (200, "ok"))
        let mail = try await fixture.askForMail()
        let first = try await fixture.tokens(
            "/verify", ["type": "email", "email": "ada@example.org", "token": mail.code])
        let second = try await refresh(fixture, first.refreshToken)
        let ada = try await fixture.signIn("ada@example.org")
        #expect(try await fixture.call(.get, "/cues", as: ada).status == 200)

        let result = try PracticeSamples.result()
        let json = String(decoding: try WireJSON.encode(PracticeResultDTO(result)), as: UTF8.self)
        #expect(try await fixture.call(.put, "/practice/\(result.id)", as: ada, json: json).status == 201)
        #expect(try await fixture.call(.put, "/practice/\(result.id)", as: ada, json: json).status == 200)
        let changes: PracticeChangesDTO = try decoded(await fixture.call(.get, "/changes", as: ada))
        #expect(changes.next.isEmpty == false)

        let sample = SoundSample(3_000)
        try await fixture.upload(sample, as: ada)
        let sound = try await fixture.call(.get, "/recordings/\(sample.id)/content", as: ada)
        #expect(sound.status == 200 && sound.body == sample.bytes)
        try await eventually("the recording is evaluated") {
            text(try await fixture.call(.get, "/recordings/\(sample.id)/evaluation", as: ada)).contains("\"done\"")
        }
        #expect(try await fixture.putObject(SyncSample.path(1), [1, 2, 3], as: ada).status == 201)
        #expect(try await fixture.listObjects(as: ada).objects.map(\.size) == [3])
        #expect(try await fixture.call(.post, "/rpc/heartbeat", as: ada).status == 204)
        await fixture.stop()

        // Everything is there for the next process.
        let next = try await start()
        _ = try await refresh(next, second.refreshToken)
        #expect(try await next.call(.get, "/practice/\(result.id)", as: ada).status == 200)
        #expect(try await next.listObjects(as: ada).objects.count == 1)
        let export = try await next.call(.get, "/account/export", as: ada)
        #expect(export.status == 200 && export.body.count > sample.bytes.count)
        await next.stop()
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).allSatisfy { !$0.hasSuffix(".sqlite") })
    }

    @Test func `two instances serve one session`() async throws {
        let url = try await DatabaseKind.newPostgresURL()
        let homes = [try TemporaryFolder(), try TemporaryFolder()]
        func start(_ home: TemporaryFolder) async throws -> ServerFixture {
            try await ServerFixture(home: home) { options in
                options.database = url
                options.publicAddress = "http://127.0.0.1:1"
            }
        }
        let first = try await start(homes[0])
        // Both sign with the same keys.
        for name in ["secrets", "secrets.key"] {
            try FileManager.default.copyItem(atPath: homes[0].file(name), toPath: homes[1].file(name))
        }
        try homes[1].shareMails(of: homes[0])
        let second = try await start(homes[1])
        let mail = try await first.askForMail()
        var tokens = try await second.tokens(
            "/verify", ["type": "email", "email": "ada@example.org", "token": mail.code])
        for round in 0..<6 { tokens = try await refresh([first, second][round % 2], tokens.refreshToken) }
        // Both are asked at once, as by a client whose first answer was slow.
        let shown = tokens.refreshToken
        async let one = refresh(first, shown)
        async let two = refresh(second, shown)
        let pair = try await (one, two)
        #expect(pair.0.refreshToken == pair.1.refreshToken, "neither is signed out")
        _ = try await refresh(second, pair.0.refreshToken)
        await first.stop()
        await second.stop()
    }

    @Test func `readiness says what is wrong with the database`() async throws {
        let cluster = try await PostgresCluster.start()
        let url = try cluster.makeDatabase()
        let home = try TemporaryFolder()
        let fixture = try await ServerFixture(home: home) { $0.database = url }
        #expect(try await databaseCheck(fixture) == (200, "ok"))
        try cluster.psql(
            "INSERT INTO schema_migration (position, name, checksum) VALUES (99, 'of the future', 'x')",
            database: "test1")
        #expect(try await databaseCheck(fixture) == (503, "newer"))
        try cluster.psql("DELETE FROM schema_migration", database: "test1")
        #expect(try await databaseCheck(fixture) == (503, "older"))
        cluster.stop()
        #expect(try await databaseCheck(fixture) == (503, "unreachable"))
        let refused = try await fixture.post("/otp", ["email": "ada@example.org"])
        #expect(refused.status == 503 && refused.headers["Retry-After"] != nil)
        #expect(try await fixture.get("/healthz").status == 200)
        await fixture.stop()
    }

    @Test func `a server refuses the tables of a newer version`() async throws {
        let cluster = try await PostgresCluster.start()
        let url = try cluster.makeDatabase()
        let dry = try await ServerMigration.run(database: url, isDryRun: true)
        #expect(
            dry == [
                "1 server", "2 administration", "3 pieces of uploads", "4 usage of recordings", "5 audit",
                "6 confirmed refreshes",
            ])
        #expect(try await ServerMigration.run(database: url, isDryRun: false) == dry)
        #expect(try await ServerMigration.run(database: url, isDryRun: false).isEmpty)
        try cluster.psql(
            "INSERT INTO schema_migration (position, name, checksum) VALUES (99, 'of the future', 'x')",
            database: "test1")
        let home = try TemporaryFolder()
        let error = await #expect(throws: (any Error).self) {
            _ = try await ServerFixture(home: home) { $0.database = url }
        }
        #expect(error.map { "\($0)" }?.hasPrefix("newer: ") == true)
        cluster.stop()
    }
}
