// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// The files and keys of sync are deleted, sealed and exported as everything else.
@Suite(.timeLimit(.minutes(5))) struct DeviceSyncErasureTests {
    private let fixture: SyncFixture
    private var desk: ParleyProcess { fixture.desk }

    init() throws { fixture = try SyncFixture() }

    private func left() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: desk.path("home"))
            .filter {
                ($0.contains("sync") || $0.contains("secrets") || $0.contains("sqlite")) && !$0.hasSuffix(".lock")
            }
    }

    @Test func `data delete takes the log, the settings and the keys, without a key`() async throws {
        try await fixture.said("capital of Texas", on: desk)
        try await fixture.setUp()
        try await fixture.recover(fixture.phone, name: "phone")
        #expect(Set(try left()).isSuperset(of: ["config/sync.json", "data/sync.sqlite", "data/secrets.sealed"]))
        // A log that a killed program left behind, and a home without the key of its secrets.
        try Data("wal".utf8).write(to: URL(filePath: desk.path("home/data/sync.sqlite-wal")))
        try FileManager.default.removeItem(atPath: desk.path("home/config/secrets.key"))
        let deleted = try await desk.run("data", "delete", "--yes", "--offline")
        #expect(deleted.code == 0, "\(deleted.errors)")
        #expect(try left() == [])
        let again = try await desk.run("data", "delete", "--yes", "--offline")
        #expect(again.code == 0 && again.output.contains("nothing was left"), "\(again.output)")
        #expect(try await desk.run("sync", "status", "--json").events.first?["isSetUp"] as? Bool == false)
        // The others keep theirs: deleting everything here deletes nothing there.
        try await fixture.exchange(fixture.phone)
        #expect(try await fixture.phone.run("history").output.contains("Austin"))
    }

    @Test func `what one device deletes is in no file of another`() async throws {
        let phone = fixture.phone
        try await fixture.said("capital of Texas", on: desk)
        try await fixture.setUp()
        try await fixture.recover(phone, name: "phone")
        #expect(try await phone.run("history").output.contains("Austin"))
        try Data("\"capital of Texas\"\n".utf8).write(to: URL(filePath: phone.path("home/data/chat-inputs")))
        #expect(try await desk.run("history", "delete", "Texas", "--yes").code == 0)
        try await fixture.exchange(desk, phone, desk)
        for device in [desk, phone] {
            for file in try device.files(below: "home/data") {
                let bytes = try Data(contentsOf: URL(filePath: device.path("home/data/" + file)))
                for word in ["Texas", "Austin"] {
                    #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) is in \(file)")
                }
            }
        }
    }

    @Test func `data delete takes the keys out of the keyring`() async throws {
        let result = try await desk.withKeyring(
            """
            "$0" sync setup --folder "$PLACE" --store keyring
            "$0" data delete --yes --offline
            "$0" data delete --yes --offline
            """, ["PLACE": fixture.shared.path])
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        // The device's keys and the recovery phrase.
        #expect(result.output.contains("2 secrets") && result.output.contains("nothing was left"), "\(result.output)")
    }

    @Test func `the app lock seals the log, and the passphrase opens it`() async throws {
        try await fixture.said("capital of Texas", on: desk)
        try await fixture.setUp()
        let log = URL(filePath: desk.path("home/data/sync.sqlite"))
        #expect(try Data(contentsOf: log).starts(with: Data("SQLite format 3".utf8)))
        let environment = desk.environment.merging(["NO_COLOR": "1"]) { $1 }
        let lock = try TerminalRun([ParleyProcess.executable, "secrets", "lock"], environment: environment)
        for question in ["New passphrase: ", "Once more: "] {
            try await lock.shows(question)
            try lock.type("open sesame\n")
        }
        #expect(await lock.code() == 0, "\(lock.text)")
        #expect(!(try Data(contentsOf: log).starts(with: Data("SQLite format 3".utf8))))
        let refused = try await desk.start(["sync", "now"], through: ["/usr/bin/setsid", "--wait"]).finished()
        #expect(refused.code != 0 && refused.errors.contains("passphrase"), "\(refused.errors)")
        let opened = try TerminalRun([ParleyProcess.executable, "sync", "now"], environment: environment)
        try await opened.shows("Passphrase of the app lock: ")
        try opened.type("open sesame\n")
        #expect(await opened.code() == 0, "\(opened.text)")
        #expect(!(try Data(contentsOf: log).starts(with: Data("SQLite format 3".utf8))))
        let unlock = try TerminalRun([ParleyProcess.executable, "secrets", "unlock"], environment: environment)
        try await unlock.shows("Passphrase: ")
        try unlock.type("open sesame\n")
        #expect(await unlock.code() == 0, "\(unlock.text)")
        #expect(try Data(contentsOf: log).starts(with: Data("SQLite format 3".utf8)))
        try await fixture.exchange(desk)
    }

    @Test func `the export has what the log says and no key`() async throws {
        try await fixture.said("capital of Texas", on: desk)
        #expect(try await desk.run("settings", "set", "wake-word", "hey parley").code == 0)
        try await fixture.setUp()
        let words = try await fixture.words()
        let exported = try await desk.run("data", "export", desk.path("all.tar"), "--offline")
        #expect(exported.code == 0 && exported.output.contains("1 setting,"), "\(exported.output)\(exported.errors)")
        let bytes = try Data(contentsOf: URL(filePath: desk.path("all.tar")))
        #expect(bytes.range(of: Data("Austin".utf8)) != nil)
        for hidden in [words.joined(separator: " "), "sync.sqlite", "sync_mark", "sync.json"] {
            #expect(bytes.range(of: Data(hidden.utf8)) == nil, "\(hidden)")
        }
        let help = try await desk.run("data", "export", "--help")
        #expect(help.output.contains("parley sync"), "\(help.output)")
    }
}
