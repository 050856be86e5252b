// SPDX-License-Identifier: MIT

import DBusTestSupport
import TestKit
import Testing

/// The findings of `parley doctor` about the desktop.
@Suite(.timeLimit(.minutes(5))) struct DoctorTests {
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    /// A finding: its status and its words.
    private func finding(_ name: String, on bus: PrivateBus? = nil) async throws -> (status: String, words: String) {
        let doctor = try await parley.run("doctor", "--json", environment: bus?.variables ?? [:])
        #expect(doctor.code == 0, "\(doctor)")
        let findings = try #require(doctor.events.first?["findings"] as? [[String: Any]], "\(doctor)")
        let found = try #require(findings.first { $0["name"] as? String == name }, "\(doctor)")
        let words = [found["detail"], found["advice"]].compactMap { $0 as? String }.joined(separator: " ")
        return (found["status"] as? String ?? "", words)
    }

    @Test func `notifications need a session and a daemon`() async throws {
        let without = try await finding("Notifications")
        #expect(without.status == "limited" && without.words.contains("no desktop session"), "\(without)")
        let bus = try PrivateBus()
        let empty = try await finding("Notifications", on: bus)
        #expect(empty.status == "limited" && empty.words.contains("dunst"), "\(empty)")
        try bus.mock("notification_daemon", name: "org.freedesktop.Notifications")
        let works = try await finding("Notifications", on: bus)
        #expect(works.status == "works", "\(works)")
    }

    @Test func `services that are installed and do not run are named`() async throws {
        let none = try await finding("Services")
        #expect(none.status == "works" && none.words.contains("parley install"), "\(none)")
        let installed = try await parley.run("install")
        #expect(installed.code == 0, "\(installed)")
        let stopped = try await finding("Services")
        #expect(stopped.status == "limited" && stopped.words.contains("restart parley-listen.service"), "\(stopped)")
    }
}
