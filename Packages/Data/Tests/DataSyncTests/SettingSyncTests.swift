// SPDX-License-Identifier: MIT

import Concurrency
import DataLayer
import Dispatch
import Domain
import Persistence
import Sync
import TestKit
import Testing

@testable import DataSync

/// The settings of two homes.
struct SettingSyncTests {
    @Test func `the last value wins, and a removal is one`() async throws {
        let (first, second) = try await Home.pair()
        try await first.set("rms", "voice")
        try await first.set("1.5", "budget")
        try await Home.settle(first, second)
        #expect(try await second.setting("voice") == "rms")
        #expect(try await second.setting("budget") == "1.5")
        try await first.set("awb", "voice")
        try await first.sync.handOver(now: 5)
        try await second.set("slt", "voice")
        try await second.set(nil, "budget")
        try await second.sync.handOver(now: 1_900_000_000_000)
        try await Home.settle(first, second)
        for home in [first, second] {
            #expect(try await home.setting("voice") == "slt")
            #expect(try await home.setting("budget") == nil)
            #expect(try await home.data.pending().count == 0)
        }
    }

    @Test func `a setting of the machine stays on it`() async throws {
        let (first, second) = try await Home.pair()
        try await first.set("hw:7", "device")
        try await Home.settle(first, second)
        #expect(try await second.setting("device") == nil)
        #expect(try await first.data.pending().count == 0)
    }

    @Test func `an invalid value and an unknown setting are passed over`() async throws {
        let (first, second) = try await Home.pair()
        try await second.set("rms", "voice")
        try await Home.settle(first, second)
        // A newer program on the first device has another setting, and another value.
        let newer = SyncedSettings(first.settings, names: ["voice", "mood"]) { _, _ in true }
        let data = SyncedData([SettingSource(newer)])
        try await first.set("invalid", "voice")
        try await first.set("cheerful", "mood")
        try await RecordSync(data, first.device, lock: first.folder.file("sync.lock")).handOver(now: 1_900_000_000_000)
        try await Home.settle(first, second)
        #expect(try await second.setting("voice") == "rms")
        #expect(try await second.setting("mood") == nil)

        // After an update the second device has it.
        let updated = SyncedData([
            SettingSource(SyncedSettings(second.settings, names: ["voice", "mood"]) { _, _ in true })
        ])
        try await updated.enable()
        let sync = RecordSync(updated, second.device, lock: second.folder.file("sync.lock"))
        try await sync.handOver(now: 1)
        _ = try await sync.takeOver()
        #expect(try await second.setting("mood") == "cheerful")
        #expect(try await second.setting("voice") == "invalid")
        try await Home.settle(second, first)
        #expect(try await first.setting("voice") == "invalid")
    }

    @Test func `a change that waits is not overwritten by an older one`() async throws {
        let (first, second) = try await Home.pair()
        try await first.set("rms", "voice")
        try await first.sync.handOver(now: 10)
        try await Home.exchange(first)
        try await second.set("awb", "voice")
        try await Home.exchange(second)
        _ = try await second.sync.takeOver()
        #expect(try await second.setting("voice") == "awb")
        try await second.sync.handOver(now: 20)
        try await Home.settle(first, second)
        #expect(try await first.setting("voice") == "awb")
    }

    @Test func `of two programs that hand over at once, none overwrites the newer value`() async throws {
        let (home, second) = try await Home.pair()
        let other = try await KeyValueFile(path: home.folder.file("settings.sqlite")).open()
        let source = PausingSource(SettingSource(SyncedSettings(other, names: ["voice"]) { _, _ in true }))
        let lock = home.folder.file("sync.lock")
        try await home.set("rms", "voice")
        let paused = Task { try await RecordSync(SyncedData([source]), home.device, lock: lock).handOver(now: 10) }
        try await source.reached.value()
        try await home.set("awb", "voice")
        let sync = RecordSync(home.data, home.device, lock: lock, patience: .zero)
        await #expect(throws: DomainError.self) { try await sync.handOver(now: 20) }
        source.end.signal()
        try await paused.value
        await other.close()
        try await sync.handOver(now: 30)
        try await Home.settle(home, second)
        for home in [home, second] { #expect(try await home.setting("voice") == "awb") }
    }
}

/// Stops at its first change until a test lets it go on.
private struct PausingSource: SyncSource {
    let source: SettingSource
    let reached = Promise<Void>()
    let end = DispatchSemaphore(value: 0)

    init(_ source: SettingSource) { self.source = source }

    var database: Database { source.database }
    var version: Int64 { source.version }
    var triggers: [SyncTrigger] { source.triggers }
    var marksOfAll: [SQL] { source.marksOfAll }

    func change(_ mark: SyncMarks.Mark, on connection: Connection) throws -> OutgoingChange {
        let change = try source.change(mark, on: connection)
        if reached.resolve() { end.wait() }
        return change
    }

    func apply(_ changes: [SyncRecordChange], on connection: WritableConnection) throws -> Bool {
        try source.apply(changes, on: connection)
    }
}

extension Home {
    fileprivate func set(_ text: String?, _ name: String) async throws {
        try await settings.database.write { try KeyValueTransaction($0).set(text, for: .setting(name)) }
    }

    fileprivate func setting(_ name: String) async throws -> String? {
        try await settings.database.read { try KeyValueTransaction($0).value(for: .setting(name)) }
    }
}
