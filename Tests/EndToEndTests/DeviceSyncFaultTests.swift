// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Places that are broken, hostile, or of a newer program: a clear sentence, and nothing is lost.
@Suite(.timeLimit(.minutes(5))) struct DeviceSyncFaultTests {
    private let fixture: SyncFixture
    private var desk: ParleyProcess { fixture.desk }
    private var phone: ParleyProcess { fixture.phone }

    init() throws { fixture = try SyncFixture() }

    private var objects: String { fixture.shared.file("parley-sync") }

    private func names(_ prefix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: objects).filter { $0.hasPrefix(prefix) }.sorted()
    }

    /// The newest segment of the desk's log: no name of a log but the desk's is there before another device joins.
    private func deskLog() throws -> (device: String, last: Int) {
        let words = try names("l-").map { $0.split(separator: "-") }
        let device = try #require(words.first.map { String($0[1]) })
        return (device, words.compactMap { Int($0[3]) }.max() ?? 0)
    }

    /// Sets two devices up, of which both have everything.
    private func begin() async throws -> (device: String, last: Int) {
        try await fixture.said("capital of Texas", on: desk)
        try await fixture.setUp()
        let log = try deskLog()
        try await fixture.recover(phone, name: "phone")
        try await fixture.exchange(desk)
        let last = try names("l-\(log.device)").compactMap { Int($0.split(separator: "-")[3]) }.max() ?? 0
        return (log.device, last)
    }

    @Test func `an object of 100 megabytes is not believed and stops nobody`() async throws {
        let log = try await begin()
        let junk = "\(objects)/l-\(log.device)-\(log.last + 1)-\(log.last + 1)"
        #expect(FileManager.default.createFile(atPath: junk, contents: nil))
        let handle = try #require(FileHandle(forWritingAtPath: junk))
        try handle.truncate(atOffset: 100 << 20)
        try handle.close()
        let read = try await phone.run("sync", "now")
        #expect(read.code == 0 && read.errors.contains("not believed. Remove it"), "\(read.errors)")
        // The desk's next entry has the name of the object.
        try await fixture.said("capital of Ohio", on: desk)
        let written = try await desk.run("sync", "now")
        #expect(written.code == 0 && written.errors.contains("not believed. Remove it"), "\(written.errors)")
        #expect(!written.errors.contains("two histories"), "\(written.errors)")
        #expect(try await desk.run("sync", "status", "--json").events.first?["waiting"] as? Int ?? 0 > 0)
        try FileManager.default.removeItem(atPath: junk)
        try await fixture.exchange(desk, phone)
        #expect(try await phone.run("history").output.contains("Columbus"))
    }

    @Test func `a place that nobody can write to locks no device out`() async throws {
        let setUp = try await desk.run("sync", "setup", "--folder", "/proc", "--store", "file")
        #expect(setUp.code == 5 && setUp.errors.contains("parley sync leave ends it"), "\(setUp.errors)")
        let leave = try await desk.run("sync", "leave", "--yes")
        #expect(leave.code == 0, "\(leave.errors)")
        try await fixture.setUp()
        try await fixture.exchange(desk)
    }

    @Test func `a beginning that left a group and no settings is begun again`() async throws {
        try await fixture.setUp()
        // As after a crash between the two.
        let settings = try desk.files(below: "home").filter { $0.hasSuffix("sync.json") }
        try FileManager.default.removeItem(atPath: desk.path("home/" + (try #require(settings.first))))
        let place = try TemporaryFolder()
        let again = try await desk.run("sync", "setup", "--folder", place.path, "--store", "file")
        #expect(again.code == 0, "\(again.errors)")
        #expect(try await desk.run("sync", "now").code == 0)
    }

    @Test func `what a newer program wrote is kept until the update`() async throws {
        let log = try await begin()
        try await fixture.said("capital of Ohio", on: desk)
        try await fixture.exchange(desk)
        let new = try #require(try names("l-\(log.device)").first { $0.hasSuffix("-\(log.last + 1)") })
        let path = "\(objects)/\(new)"
        let bytes = try #require(FileManager.default.contents(atPath: path))
        // The fourth byte is the format's version.
        var newer = bytes
        newer[3] += 1
        try newer.write(to: URL(filePath: path))
        for _ in 1...2 {
            let run = try await phone.run("sync", "now")
            #expect(run.code == 0 && run.errors.contains("newer Parley. It is kept; update"), "\(run.errors)")
            #expect(try await phone.run("sync", "now", "--json").events.first?["newer"] as? Int == 1)
        }
        #expect(!(try await phone.run("history").output.contains("Columbus")))
        try bytes.write(to: URL(filePath: path))
        try await fixture.exchange(phone)
        #expect(try await phone.run("history").output.contains("Columbus"))
    }

    @Test func `a record of devices that is gone is told, and put back`() async throws {
        _ = try await begin()
        let before = Set(try names("m-"))
        try await fixture.recover(fixture.laptop, name: "laptop")
        try await fixture.exchange(desk, phone)
        let record = try #require(Set(try names("m-")).subtracting(before).first)
        try FileManager.default.removeItem(atPath: "\(objects)/\(record)")

        let tablet = try ParleyProcess()
        let joined = try await fixture.use(try await fixture.words(), on: tablet, name: "tablet")
        #expect(joined.code == 0 && joined.errors.contains("A record of your devices is not"), "\(joined.errors)")
        let status = try await tablet.run("sync", "status")
        #expect(status.errors.contains("parley sync now on a device that has everything"), "\(status.errors)")
        #expect(try await tablet.run("history").output.contains("Austin"))

        let back = try await desk.run("sync", "now")
        #expect(back.code == 0 && back.errors.contains("set back"), "\(back.errors)")
        try await fixture.exchange(tablet, fixture.laptop, desk)
        for device in [desk, tablet, fixture.laptop] {
            let names = try await device.run("sync", "devices", "--json").events.compactMap { $0["name"] as? String }
            #expect(Set(names) == ["desk", "phone", "laptop", "tablet"])
            #expect(!(try await device.run("sync", "status").errors.contains("A record of your devices")))
        }
    }

    @Test func `a place that was emptied is filled again`() async throws {
        _ = try await begin()
        try await fixture.said("capital of Ohio", on: phone)
        try await fixture.exchange(phone, desk)
        try FileManager.default.removeItem(atPath: objects)
        let refused = try await fixture.use(try await fixture.words(), on: fixture.laptop, name: "laptop")
        #expect(refused.code == 2 && refused.errors.contains("it puts them back"), "\(refused.errors)")
        let filled = try await desk.run("sync", "now")
        #expect(filled.code == 0 && filled.errors.contains("set back"), "\(filled.errors)")
        _ = try await phone.run("sync", "now")
        try await fixture.recover(fixture.laptop, name: "laptop")
        let history = try await fixture.laptop.run("history").output
        #expect(history.contains("Austin") && history.contains("Columbus"), "\(history)")
    }

    @Test(arguments: ["read only", "full"]) func `a place that takes nothing costs the exchange alone`(
        _ fault: String
    ) async throws {
        _ = try await begin()
        try await fixture.said("capital of Ohio", on: desk)
        let script =
            fault == "full"
            ? """
            cp -a "$PLACE" "$PLACE.copy" && mount -t tmpfs -o size=64k none "$PLACE" || exit 77
            cp -a "$PLACE.copy/." "$PLACE" && dd if=/dev/zero of="$PLACE/filler" bs=1k 2>/dev/null
            "$0" "$@"
            """
            : """
            mount --bind "$PLACE" "$PLACE" && mount -o remount,bind,ro "$PLACE" || exit 77
            "$0" "$@"
            """
        let failed = try await desk.start(
            ["sync", "now"], environment: ["PLACE": fixture.shared.path],
            through: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script]
        ).finished()
        try? FileManager.default.removeItem(atPath: fixture.shared.path + ".copy")
        if failed.code == 77 || failed.errors.contains("unshare:") {
            print("NOT CHECKED: a place that is \(fault), because this user may not mount one")
            return
        }
        #expect(failed.code == 5, "\(failed.errors)")
        let remedy = fault == "full" ? "Free some, or choose another" : "mount it for writing"
        #expect(failed.errors.contains(remedy), "\(failed.errors)")
        #expect(try await desk.run("sync", "status", "--json").events.first?["waiting"] as? Int ?? 0 > 0)
        try await fixture.exchange(desk, phone)
        #expect(try await phone.run("history").output.contains("Columbus"))
    }
}
