// SPDX-License-Identifier: MIT

import Diagnostics
import Foundation
import Networking
import PracticeWire
import TestKit
import Testing

@testable import ParleyServer

@Suite(.timeLimit(.minutes(5))) struct RuntimeTests {
    @Test func theServerSaysWhoIsThere() async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        let me: ProfileDTO = try decoded(await fixture.call(.get, "/rpc/me", as: ada))
        #expect(me.account == ada.account && me.email == "ada@example.org")
        #expect(me.createdAt == "2026-01-01T00:00:00.000Z")
        #expect(try await fixture.call(.post, "/rpc/heartbeat", as: ada).status == 204)
        await fixture.stop()
    }

    @Test func `flags hold although their copy cannot be written`() async throws {
        let home = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: home.path + "/app-config.good.json/x", withIntermediateDirectories: true)
        try Data(#"{"flags":{"a":{"value":true}}}"#.utf8).write(to: URL(filePath: home.path + "/app-config.json"))
        let ring = RingSink()
        let fixture = try await ServerFixture(home: home, logger: Logger(category: "server", sink: ring))
        let ada = try await fixture.signIn("ada@example.org")
        #expect(try await text(fixture.call(.get, "/rpc/app_config", as: ada)).contains(#""a":{"value":true}"#))
        let words = ring.snapshot().map(\.message.text).filter { $0.hasPrefix("app-config.json") }
        #expect(words.count == 1 && words[0].hasPrefix("app-config.json is used, and has no copy"), "\(words)")
        await fixture.stop()
    }

    @Test func flagsAreWhatTheOperatorWroteAndAMistakeChangesNothing() async throws {
        let home = try TemporaryFolder()
        let path = URL(filePath: home.path + "/app-config.json")
        var fixture = try await ServerFixture(home: home) { $0.publicAddress = "http://127.0.0.1:1" }
        let ada = try await fixture.signIn("ada@example.org")
        func config(_ headers: HTTPHeaders = [:]) async throws -> Answer {
            try await fixture.call(.get, "/rpc/app_config", as: ada, headers: headers)
        }
        #expect(try await text(config()) == #"{"flags":{"serverRetentionDays":{"value":365}}}"#)
        let good =
            #"{"flags":{"a":{"value":true},"#
            + #""b":{"expires_at":"2027-01-01T00:00:00.000Z","rollout":5,"value":1.5}}}"#
        try Data(("\n  " + good + "\n").utf8).write(to: path)
        let first = try await config()
        // The retention is the server's own.
        let answered = good.dropLast(2) + #","serverRetentionDays":{"value":365}}}"#
        #expect(text(first) == answered && first.headers["Cache-Control"] == "private, no-cache")
        let tag = try #require(first.headers["ETag"])
        #expect(try await config(["If-None-Match": tag]).status == 304)
        for bad in [
            "{", "[]", #"{"flags":[]}"#, #"{"flags":{"a":{"value":true},"b":{"value":[]}}}"#,
            #"{"flags":{"a":{"value":true,"rollout":10001}}}"#, #"{"flags":{"a":{"value":1,"expires_at":"soon"}}}"#, "",
        ] {
            try Data(bad.utf8).write(to: path)
            #expect(try await config(["If-None-Match": tag]).status == 304, "\(bad)")
        }
        // Also over a restart.
        await fixture.stop()
        fixture = try await ServerFixture(home: home) { $0.publicAddress = "http://127.0.0.1:1" }
        #expect(try await text(config()) == answered)
        try Data(#"{"flags":{"a":{"value":"text"}}}"#.utf8).write(to: path)
        let next = try await config(["If-None-Match": tag])
        #expect(
            next.status == 200 && text(next) == #"{"flags":{"a":{"value":"text"},"serverRetentionDays":{"value":365}}}"#
        )
        try FileManager.default.removeItem(at: path)
        #expect(try await text(config()) == #"{"flags":{"serverRetentionDays":{"value":365}}}"#)
        await fixture.stop()
    }
}
