// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Several devices of a person, each with a home of its own, and a folder between them.
@Suite(.timeLimit(.minutes(5))) struct DeviceSyncTests {
    private let fixture: SyncFixture
    private var desk: ParleyProcess { fixture.desk }
    private var laptop: ParleyProcess { fixture.laptop }
    private var phone: ParleyProcess { fixture.phone }
    private var shared: TemporaryFolder { fixture.shared }

    init() throws { fixture = try SyncFixture() }

    @Test func `two devices pair by a code and six words and have the same conversations`() async throws {
        try await fixture.said("capital of Texas", on: desk)
        try await fixture.setUp()
        try await fixture.pair()
        #expect(try await laptop.run("history").output.contains("Austin"))

        try await fixture.said("capital of Ohio", on: laptop)
        try await fixture.exchange(laptop, desk)
        #expect(try await desk.run("history").output.contains("Columbus"))
        let names = try await desk.run("sync", "devices", "--json").events.compactMap { $0["name"] as? String }
        #expect(Set(names) == ["desk", "laptop"])

        let id = try await fixture.lastConversation(on: desk)
        #expect(try await desk.run("conversations", "delete", id, "--yes").code == 0)
        try await fixture.exchange(desk, laptop)
        #expect(try await laptop.run("conversations", "show", id).code != 0)

        // The place saw no word and no name.
        for file in try FileManager.default.subpathsOfDirectory(atPath: shared.path) {
            guard let bytes = FileManager.default.contents(atPath: shared.file(file)) else { continue }
            for word in ["Austin", "Columbus", "capital", "desk", "laptop"] {
                #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) in \(file)")
            }
        }
    }

    @Test func `another device's words are noticed and nobody is added`() async throws {
        try await fixture.setUp()
        let (member, newcomer) = try await fixture.start()
        try await member.shows("Here they are")
        try await newcomer.shows("Here they are")
        try member.type("no\n")
        #expect(await member.code() != 0)
        #expect(await newcomer.code() != 0)
        #expect(try await desk.run("sync", "devices", "--json").events.count == 1)
        #expect(try await laptop.run("sync", "status", "--json").events.first?["isSetUp"] as? Bool == false)
    }

    @Test func `the recovery phrase brings everything back and a lost device is removed`() async throws {
        try await fixture.said("capital of Texas", on: desk)
        try await fixture.setUp()
        let words = try await fixture.words()
        try FileManager.default.removeItem(atPath: desk.path("home/data/sync.sqlite"))

        var wrong = words
        wrong[3] = wrong[3] == "abandon" ? "zoo" : "abandon"
        let refused = try await fixture.use(wrong, on: phone, name: "phone")
        #expect(refused.code == 2 && refused.errors.contains("4"), "\(refused.errors)")
        let restored = try await fixture.use(words, on: phone, name: "phone")
        #expect(restored.code == 0, "\(restored.errors)")
        #expect(try await phone.run("history").output.contains("Austin"))
        #expect(try await phone.run("sync", "revoke", "desk", "--yes").code == 0)
        let left = try await phone.run("sync", "devices", "--json").events.filter { $0["isActive"] as? Bool == true }
        #expect(left.compactMap { $0["name"] as? String } == ["phone"])
    }

    @Test func `a removed device leaves without a warning`() async throws {
        try await fixture.setUp()
        try await fixture.recover(phone, name: "phone")
        #expect(try await phone.run("sync", "revoke", "desk", "--yes").code == 0)
        let left = try await desk.run("sync", "leave", "--yes")
        #expect(left.code == 0 && left.errors.hasPrefix("This device keeps its conversations"), "\(left.errors)")
    }

    @Test func `conversations copied from a synced device are sent where another one sets sync up`() async throws {
        try await fixture.said("capital of Texas", on: desk)
        try await fixture.setUp()
        let data = (desk.path("home/data"), laptop.path("home/data"))
        try FileManager.default.createDirectory(
            atPath: data.1, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for file in try FileManager.default.contentsOfDirectory(atPath: data.0) where file.hasPrefix("conversations") {
            try FileManager.default.copyItem(atPath: data.0 + "/" + file, toPath: data.1 + "/" + file)
        }
        let other = try TemporaryFolder()
        let setUp = try await laptop.run(
            "sync", "setup", "--folder", other.path, "--name", "laptop", "--store", "file")
        #expect(setUp.code == 0, "\(setUp.errors)")
        let shown = try await laptop.run("sync", "recovery", "show", "--json").events.first
        let words = try #require(shown?["words"] as? [String])
        let joined = try await fixture.use(words, on: phone, name: "phone", at: other.path)
        #expect(joined.code == 0, "\(joined.errors)")
        #expect(try await phone.run("history").output.contains("Austin"))
    }

    @Test func `a place that vanishes costs nothing but the exchange`() async throws {
        try await fixture.setUp()
        try await fixture.said("capital of Iowa", on: desk)
        try FileManager.default.moveItem(atPath: shared.path, toPath: shared.path + ".away")
        let failed = try await desk.run("sync", "now")
        #expect(failed.code == 5, "\(failed.errors)")
        #expect(try await desk.run("sync", "status", "--json").events.first?["waiting"] as? Int ?? 0 > 0)
        try FileManager.default.moveItem(atPath: shared.path + ".away", toPath: shared.path)
        #expect(try await desk.run("sync", "now").code == 0)
        #expect(try await desk.run("sync", "status", "--json").events.first?["waiting"] as? Int == 0)
        #expect(try await desk.run("sync", "leave", "--yes").code == 0)
        #expect(try await desk.run("history").output.contains("Des Moines"))
    }
}
