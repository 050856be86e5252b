// SPDX-License-Identifier: MIT

import AuthServerTestSupport
import Concurrency
import Diagnostics
import Foundation
import HTTPServer
import Networking
import TestKit
import Testing

@testable import ParleyServer

/// The operator's endpoints.
@Suite(.timeLimit(.minutes(5))) struct OperatorTests {
    private struct Report: Decodable {
        let status: String
        let checks: [String: String]
    }

    private func readiness(_ fixture: ServerFixture) async throws -> (status: Int, report: Report) {
        let answer = try await fixture.get("/readyz")
        #expect(answer.headers["Cache-Control"] == "no-store")
        return (answer.status, try JSONDecoder().decode(Report.self, from: Data(answer.body)))
    }

    private func metrics(_ fixture: ServerFixture) async throws -> [String: Int] {
        let address = try #require(fixture.server.metricsAddress)
        let url = try #require(URL(string: address + "/metrics"))
        let answer = try await fixture.client.send(HTTPRequest(.get, url))
        let text = String(decoding: try await answer.body.collect(upTo: 1 << 20), as: UTF8.self)
        #expect(answer.status == 200 && text.hasSuffix("\n# EOF\n"))
        #expect(text.components(separatedBy: "# EOF").count == 2)
        let pairs = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line -> (String, Int)? in
            guard let space = line.lastIndex(of: " ") else { return nil }
            return Int(line[line.index(after: space)...]).map { (String(line[..<space]), $0) }
        }
        return Dictionary(pairs) { $1 }
    }

    @Test func `a new server is ready in every part`() async throws {
        let fixture = try await ServerFixture()
        let (status, report) = try await readiness(fixture)
        #expect(status == 200 && report.status == "ready")
        #expect(report.checks == ["databases": "ok", "disk": "ok", "keys": "ok", "mail": "ok"])
        await fixture.stop()
    }

    @Test func `a part that fails is named, and the process is healthy`() async throws {
        let ring = RingSink()
        let fixture = try await ServerFixture(logger: Logger(category: "server", sink: ring)) {
            $0.minimumFreeBytes = 1 << 50
        }
        try FileManager.default.removeItem(atPath: fixture.home.path + "/secrets")
        let (status, report) = try await readiness(fixture)
        #expect(status == 503 && report.status == "not ready")
        #expect(report.checks == ["databases": "ok", "disk": "failed", "keys": "failed", "mail": "ok"])
        #expect(try await fixture.get("/healthz").status == 200)
        let reasons = ring.snapshot().filter { $0.category == "readiness" }.map(\.message.text)
        #expect(reasons.contains { $0.contains("minimum_free_bytes is 1125899906842624") }, "\(reasons)")
        await fixture.stop()
    }

    @Test func `every failure of a check is a refusal`() async throws {
        struct Broken: Error {}
        let readiness = Readiness(
            checks: [.init(name: "a") {}, .init(name: "b") { throw Broken() }], logger: .disabled)
        let server = HTTPServer(handler: readiness.handler)
        let address = try await server.start()
        let client = try ServerFixture.makeClient()
        let answer = try await client.send(.init(.get, #require(URL(string: "http://\(address)/readyz"))))
        let report = try JSONDecoder().decode(Report.self, from: Data(try await answer.body.collect(upTo: 1_000)))
        #expect(answer.status == 503 && report.checks == ["a": "ok", "b": "failed"])
        await server.stop(grace: .zero)
    }

    @Test func `sums are taken once a minute, and by one reader`() async throws {
        let clock = VirtualAuthClock()
        let reads = Guarded(0)
        let totals = OperatorTotals(clock: clock.clock) {
            let count = reads.withLock {
                $0 += 1
                return $0
            }
            return OperatorTotals.Figures(evaluations: [:], recordingBytes: count, objects: 0, objectBytes: 0)
        }
        #expect(try await totals.current().figures.recordingBytes == 1)
        clock.advance(by: .seconds(59))
        let (old, age) = try await totals.current()
        #expect(old.recordingBytes == 1 && age == 59)
        clock.advance(by: .seconds(1))
        async let other = totals.current().figures.recordingBytes
        let both = try await [totals.current().figures.recordingBytes, other]
        #expect(both == [2, 2])
    }

    @Test func `metrics are on a port of their own`() async throws {
        let fixture = try await ServerFixture {
            $0.metrics = ("127.0.0.1", 0)
            $0.monotonicClock = VirtualAuthClock().clock
        }
        #expect(try await fixture.get("/metrics").status == 404)
        let ada = try await fixture.signIn("ada@example.org")
        let mail = try await fixture.askForMail("bob@example.org")
        let wrong = mail.code == "000000" ? "000001" : "000000"
        let refusal = try await fixture.problem(
            "/verify", ["type": "email", "email": "bob@example.org", "token": wrong])
        #expect(refusal.status == 403)
        #expect(try await fixture.get("/user", token: "nonsense").status == 401)
        try await fixture.upload(SoundSample(300), as: ada)
        _ = try await fixture.putObject(SyncSample.path(1), [1, 2, 3], as: ada)
        var reader = SyncEventReader(try await fixture.syncEvents(as: ada))
        #expect(try await reader.next() != nil)
        let counts = try await metrics(fixture)
        #expect(counts[#"parley_sign_ins_total{method="verify",outcome="accepted"}"#] == 1)
        #expect(counts[#"parley_sign_ins_total{method="verify",outcome="otp_expired"}"#] == 1)
        #expect(counts[#"parley_sign_ins_total{method="access",outcome="bad_jwt"}"#] == 1)
        #expect(counts["parley_mails_sent_total"] == 2 && counts["parley_mail_failures_total"] == 0)
        #expect(counts[#"parley_mails_lost_total{reason="expired"}"#] == 0)
        #expect(counts["parley_recording_bytes"] == 300 && counts["parley_disk_free_bytes", default: 0] > 0)
        #expect(counts["parley_sync_objects"] == 1 && counts["parley_sync_bytes"] == 3)
        #expect(counts["parley_sync_streams"] == 1)
        #expect(counts[#"parley_database_bytes{database="sync.sqlite"}"#, default: 0] > 0)
        let route = "/sync/{group}/objects/{name}"
        #expect(counts["http_requests_total{route=\"\(route)\",method=\"PUT\",status=\"2xx\"}"] == 1)
        let states = ["waiting", "running", "done", "failed"]
        #expect(states.reduce(0) { $0 + counts["parley_evaluations{state=\"\($1)\"}", default: -1] } == 1)
        #expect(counts[#"parley_database_bytes{database="server.sqlite"}"#, default: 0] > 0)
        #expect(counts[#"http_requests_total{route="/verify",method="POST",status="4xx"}"#] == 1)
        // Sums over all accounts are taken once a minute.
        try await fixture.upload(SoundSample(200), as: ada)
        let again = try await metrics(fixture)
        #expect(again["parley_recording_bytes"] == 300 && counts["parley_totals_age_seconds"] == 0)
        let plain = try await ServerFixture()
        #expect(plain.server.metricsAddress == nil)
        await plain.stop()
        await fixture.stop()
    }
}
