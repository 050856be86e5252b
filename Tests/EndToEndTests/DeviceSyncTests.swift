// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Several devices of a person, each with a home of its own, and a folder between them.
@Suite(.timeLimit(.minutes(5))) struct DeviceSyncTests {
    private let desk: ParleyProcess
    private let laptop: ParleyProcess
    private let phone: ParleyProcess
    private let shared: TemporaryFolder

    init() throws {
        (desk, laptop, phone) = (try ParleyProcess(), try ParleyProcess(), try ParleyProcess())
        shared = try TemporaryFolder()
    }

    @Test func `two devices pair by a code and six words and have the same conversations`() async throws {
        try await said("capital of Texas", on: desk)
        try await setUp()
        try await pair()
        #expect(try await laptop.run("history").output.contains("Austin"))

        try await said("capital of Ohio", on: laptop)
        try await exchange(laptop, desk)
        #expect(try await desk.run("history").output.contains("Columbus"))
        let names = try await desk.run("sync", "devices", "--json").events.compactMap { $0["name"] as? String }
        #expect(Set(names) == ["desk", "laptop"])

        let id = try #require(try await desk.run("conversations", "list", "--json").events.first.flatMap(Self.firstID))
        #expect(try await desk.run("conversations", "delete", id, "--yes").code == 0)
        try await exchange(desk, laptop)
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
        try await setUp()
        let (member, newcomer) = try await start()
        try await member.shows("Here they are")
        try await newcomer.shows("Here they are")
        try member.type("no\n")
        #expect(await member.code() != 0)
        #expect(await newcomer.code() != 0)
        #expect(try await desk.run("sync", "devices", "--json").events.count == 1)
        #expect(try await laptop.run("sync", "status", "--json").events.first?["isSetUp"] as? Bool == false)
    }

    @Test func `the recovery phrase brings everything back and a lost device is removed`() async throws {
        try await said("capital of Texas", on: desk)
        try await setUp()
        let shown = try await desk.run("sync", "recovery", "show", "--json").events.first
        let words = try #require(shown?["words"] as? [String])
        try FileManager.default.removeItem(atPath: desk.path("home/data/sync.sqlite"))

        var wrong = words
        wrong[3] = wrong[3] == "abandon" ? "zoo" : "abandon"
        let refused = try await use(wrong)
        #expect(refused.code == 2 && refused.errors.contains("4"), "\(refused.errors)")
        let restored = try await use(words)
        #expect(restored.code == 0, "\(restored.errors)")
        #expect(try await phone.run("history").output.contains("Austin"))
        #expect(try await phone.run("sync", "revoke", "desk", "--yes").code == 0)
        let left = try await phone.run("sync", "devices", "--json").events.filter { $0["isActive"] as? Bool == true }
        #expect(left.compactMap { $0["name"] as? String } == ["phone"])
    }

    @Test func `a place that vanishes costs nothing but the exchange`() async throws {
        try await setUp()
        try await said("capital of Iowa", on: desk)
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

    // MARK: Steps

    private func said(_ question: String, on device: ParleyProcess) async throws {
        let run = try await device.run("ask", question)
        #expect(run.code == 0, "\(run.errors)")
    }

    private func setUp() async throws {
        let run = try await desk.run(
            "sync", "setup", "--folder", shared.path, "--name", "desk", "--store", "file")
        #expect(run.code == 0, "\(run.errors)")
    }

    private func use(_ words: [String]) async throws -> ParleyProcess.Result {
        try await phone.run(
            "sync", "recovery", "use", "--folder", shared.path, "--name", "phone", "--store", "file",
            input: words.joined(separator: " "))
    }

    private func exchange(_ devices: ParleyProcess...) async throws {
        for device in devices {
            let run = try await device.run("sync", "now")
            #expect(run.code == 0, "\(run.errors)")
        }
    }

    private func start() async throws -> (member: TerminalRun, newcomer: TerminalRun) {
        let member = try TerminalRun(
            [ParleyProcess.executable, "sync", "add-device"],
            environment: desk.environment.merging(["NO_COLOR": "1"]) { $1 })
        try await member.shows("Waiting for the other device.")
        let code = try #require(member.text.firstMatch(of: /The code is ([A-Z0-9-]+)\./)).1
        let newcomer = try TerminalRun(
            [
                ParleyProcess.executable, "sync", "join", String(code), "--folder", shared.path, "--name", "laptop",
                "--store", "file",
            ], environment: laptop.environment.merging(["NO_COLOR": "1"]) { $1 })
        return (member, newcomer)
    }

    private func pair() async throws {
        let (member, newcomer) = try await start()
        for run in [member, newcomer] { try await run.shows("Type \"yes\"") }
        let words = [member, newcomer].map { $0.text.firstMatch(of: /Here they are\s+([a-z ]+)/)?.1 }
        #expect(words[0] != nil && words[0] == words[1])
        for run in [member, newcomer] { try run.type("yes\n") }
        #expect(await member.code() == 0, "\(member.text)")
        #expect(await newcomer.code() == 0, "\(newcomer.text)")
    }

    private static func firstID(_ event: [String: Any]) -> String? {
        (event["conversations"] as? [[String: Any]])?.last?["id"] as? String
    }
}
