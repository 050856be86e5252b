// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// What two devices change at once, and what all of them have besides conversations.
@Suite(.timeLimit(.minutes(5))) struct DeviceSyncHistoryTests {
    private let fixture: SyncFixture
    private var desk: ParleyProcess { fixture.desk }
    private var phone: ParleyProcess { fixture.phone }

    init() throws { fixture = try SyncFixture() }

    @Test func `what was overwritten is shown on both devices`() async throws {
        try await fixture.said("capital of Texas", on: desk)
        try await fixture.setUp()
        try await fixture.recover(phone, name: "phone")
        try await fixture.exchange(desk)
        let id = try await fixture.lastConversation(on: desk)
        let shown = try await desk.run("conversations", "show", id, "--history")
        #expect(shown.code == 0 && shown.errors.contains("Nothing was overwritten"), "\(shown.errors)")

        // Both rename it without the place; the phone's change is the later one.
        #expect(try await desk.run("conversations", "rename", id, "Desk's\u{1B}[31m title").code == 0)
        #expect(try await desk.run("conversations", "show", id, "--history").code == 0)
        #expect(try await phone.run("conversations", "rename", id, "Phone's title").code == 0)
        #expect(try await phone.run("conversations", "pin", id).code == 0)
        #expect(try await phone.run("conversations", "show", id, "--history").code == 0)
        try await fixture.exchange(desk, phone, desk)
        for device in [desk, phone] {
            let text = try await device.run("conversations", "show", id, "--history")
            let lines = text.output.split(separator: "\n")
            #expect(lines.first?.contains("Phone's title") == true, "\(text.output)")
            #expect(
                lines.contains { $0.contains("desk") && $0.contains("title") && $0.contains("Desk's") },
                "\(text.output)")
            #expect(!text.output.contains("\u{1B}"))
            let event = try await device.run("conversations", "show", id, "--history", "--json").events.first
            #expect(event?["isSyncSetUp"] as? Bool == true)
            let values = try #require(event?["overwritten"] as? [[String: Any]])
            #expect(values.map { $0["field"] as? String } == ["title", "pinned"], "\(values)")
            #expect(values.map { $0["deviceName"] as? String } == ["desk", "desk"], "\(values)")
            #expect(values.first?["time"] is String && values.last?["value"] as? String == "false")
        }
    }

    @Test func `without sync the history says so`() async throws {
        try await fixture.said("capital of Texas", on: desk)
        let id = try await fixture.lastConversation(on: desk)
        let shown = try await desk.run("conversations", "show", id, "--history")
        #expect(shown.code == 0 && shown.errors.contains("Sync is not set up here"), "\(shown.errors)")
        let event = try await desk.run("conversations", "show", id, "--history", "--json").events.first
        #expect(event?["isSyncSetUp"] as? Bool == false)
        #expect(!FileManager.default.fileExists(atPath: desk.path("home/data/sync.sqlite")))
    }

    @Test func `settings of the person travel and those of the machine stay`() async throws {
        for (name, value) in [("wake-word", "hey parley"), ("device", "hw:7"), ("budget", "0.50")] {
            #expect(try await desk.run("settings", "set", name, value).code == 0)
        }
        try await fixture.setUp()
        try await fixture.recover(phone, name: "phone")
        #expect(try await phone.run("settings", "get", "wake-word").output == "hey parley\n")
        #expect(try await phone.run("settings", "get", "budget").output == "0.50\n")
        #expect(try await phone.run("settings", "get", "device").output == "default\n")
        // A variable of the environment still has precedence.
        let variable = ["PARLEY_WAKE_WORD": "computer"]
        #expect(try await phone.run("settings", "get", "wake-word", environment: variable).output == "computer\n")

        #expect(try await phone.run("settings", "unset", "budget").code == 0)
        #expect(try await phone.run("settings", "set", "wake-word", "hey phone").code == 0)
        #expect(try await phone.run("sync", "status", "--json").events.first?["waiting"] as? Int == 2)
        try await fixture.exchange(phone, desk)
        #expect(try await desk.run("settings", "get", "wake-word").output == "hey phone\n")
        #expect(try await desk.run("settings", "get", "budget").code == 3)
        #expect(try await desk.run("settings", "get", "device").output == "hw:7\n")

        let list = try await desk.run("settings", "list", "--json").events
        let travelling = Set(list.filter { $0["travels"] as? Bool == true }.compactMap { $0["name"] as? String })
        #expect(travelling.isSuperset(of: ["voice", "speed", "wake-word", "model", "budget"]))
        #expect(travelling.isDisjoint(with: ["device", "detector", "recording-rate", "base-url", "api-key"]))
        #expect(try await desk.run("settings", "list").output.contains("only on this machine"))
    }
}
