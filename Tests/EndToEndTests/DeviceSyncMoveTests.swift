// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Devices that go to another place take everything with them.
@Suite(.timeLimit(.minutes(5))) struct DeviceSyncMoveTests {
    private let sync: SyncFixture

    init() throws { sync = try SyncFixture() }

    @Test func `each device moves, and a new one finds everything at the new place`() async throws {
        try await sync.said("capital of Texas", on: sync.desk)
        try await sync.setUp()
        try await sync.recover(sync.laptop, name: "laptop")
        try await sync.said("capital of Ohio", on: sync.laptop)
        try await sync.exchange(sync.laptop, sync.desk)

        let new = try TemporaryFolder()
        try await move(sync.desk, to: new.path)
        try await sync.said("capital of Iowa", on: sync.laptop)
        try await move(sync.laptop, to: new.path)
        try await sync.exchange(sync.desk)
        #expect(try await sync.desk.run("history").output.contains("Des Moines"))

        // The old place may go.
        try FileManager.default.removeItem(atPath: sync.shared.path)
        let phone = try await sync.use(try await sync.words(), on: sync.phone, name: "phone", at: new.path)
        #expect(phone.code == 0, "\(phone.errors)")
        let history = try await sync.phone.run("history").output
        for answer in ["Austin", "Columbus", "Des Moines"] { #expect(history.contains(answer)) }
        let status = try await sync.desk.run("sync", "now", "--json")
        #expect(status.events.first?["findings"] as? [String] == [])
    }

    @Test func `a device whose old place is gone moves with what it has, but never to others' devices`() async throws {
        try await sync.said("capital of Texas", on: sync.desk)
        try await sync.setUp()
        let other = try TemporaryFolder()
        let setup = try await sync.phone.run(
            "sync", "setup", "--folder", other.path, "--name", "phone", "--store", "file")
        #expect(setup.code == 0, "\(setup.errors)")
        let refused = try await sync.desk.run("sync", "move", "--folder", other.path)
        #expect(refused.code == 2 && refused.errors.contains("Name another place"), "\(refused.errors)")
        #expect(try await place(of: sync.desk).hasSuffix(sync.shared.path))

        try FileManager.default.removeItem(atPath: sync.shared.path)
        let new = try TemporaryFolder()
        let moved = try await sync.desk.run("sync", "move", "--folder", new.path)
        #expect(moved.code == 0 && moved.errors.contains("was not asked once more"), "\(moved.errors)")
        #expect(try await place(of: sync.desk).hasSuffix(new.path))
        let phone = try await sync.use(try await sync.words(), on: sync.laptop, name: "laptop", at: new.path)
        #expect(phone.code == 0, "\(phone.errors)")
        #expect(try await sync.laptop.run("history").output.contains("Austin"))
    }

    private func move(_ device: ParleyProcess, to folder: String) async throws {
        let run = try await device.run("sync", "move", "--folder", folder)
        #expect(run.code == 0, "\(run.errors)")
    }

    private func place(of device: ParleyProcess) async throws -> String {
        try #require(try await device.run("sync", "status", "--json").events.first?["place"] as? String)
    }
}
