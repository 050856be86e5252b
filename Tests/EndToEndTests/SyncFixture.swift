// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Several devices of a person, each with a home of its own, and a folder between them.
struct SyncFixture {
    let desk: ParleyProcess
    let laptop: ParleyProcess
    let phone: ParleyProcess
    let shared: TemporaryFolder

    init() throws {
        (desk, laptop, phone) = (try ParleyProcess(), try ParleyProcess(), try ParleyProcess())
        shared = try TemporaryFolder()
    }

    /// Asks a question on a device, which stores the answer.
    func said(_ question: String, on device: ParleyProcess) async throws {
        let run = try await device.run("ask", question)
        #expect(run.code == 0, "\(run.errors)")
    }

    /// Begins the group on the desk.
    func setUp() async throws {
        let run = try await desk.run(
            "sync", "setup", "--folder", shared.path, "--name", "desk", "--store", "file")
        #expect(run.code == 0, "\(run.errors)")
    }

    /// Exchanges everything, one device after the other.
    func exchange(_ devices: ParleyProcess...) async throws {
        for device in devices {
            let run = try await device.run("sync", "now")
            #expect(run.code == 0, "\(run.errors)")
        }
    }

    // MARK: Joining

    /// Joins a device by the recovery phrase, without a terminal.
    func recover(_ device: ParleyProcess, name: String) async throws {
        let run = try await use(try await words(), on: device, name: name)
        #expect(run.code == 0, "\(run.errors)")
    }

    /// The words of the recovery phrase.
    func words() async throws -> [String] {
        let shown = try await desk.run("sync", "recovery", "show", "--json").events.first
        return try #require(shown?["words"] as? [String])
    }

    /// Tries words as the recovery phrase.
    func use(
        _ words: [String], on device: ParleyProcess, name: String, at folder: String? = nil
    ) async throws -> ParleyProcess.Result {
        try await device.run(
            "sync", "recovery", "use", "--folder", folder ?? shared.path, "--name", name, "--store", "file",
            input: words.joined(separator: " "))
    }

    /// Begins to add the laptop: both programs wait for each other.
    func start() async throws -> (member: TerminalRun, newcomer: TerminalRun) {
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

    /// Adds the laptop by a code and six words.
    func pair() async throws {
        let (member, newcomer) = try await start()
        for run in [member, newcomer] { try await run.shows("Type \"yes\"") }
        let words = [member, newcomer].map { $0.text.firstMatch(of: /Here they are\s+([a-z ]+)/)?.1 }
        #expect(words[0] != nil && words[0] == words[1])
        for run in [member, newcomer] { try run.type("yes\n") }
        #expect(await member.code() == 0, "\(member.text)")
        #expect(await newcomer.code() == 0, "\(newcomer.text)")
    }

    /// The id of the last conversation that a device lists.
    func lastConversation(on device: ParleyProcess) async throws -> String {
        let event = try await device.run("conversations", "list", "--json").events.first
        return try #require((event?["conversations"] as? [[String: Any]])?.last?["id"] as? String)
    }
}
