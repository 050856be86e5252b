// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Two devices of a person that meet at a folder, and a third one that joins by the recovery phrase.
struct SyncFixture {
    let phone: ParleyProcess
    let shared: TemporaryFolder
    private let homes: PairedHomes

    var desk: ParleyProcess { homes.desk }
    var laptop: ParleyProcess { homes.laptop }

    init() throws {
        (phone, shared) = (try ParleyProcess(), try TemporaryFolder())
        homes = try PairedHomes(at: ["--folder", shared.path])
    }

    /// Asks a question on a device, which stores the answer.
    func said(_ question: String, on device: ParleyProcess) async throws { try await homes.ask(question, on: device) }

    /// Begins the group on the desk.
    func setUp() async throws { try await homes.setUp() }

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
    func start() async throws -> (member: TerminalRun, newcomer: TerminalRun) { try await homes.beginPairing() }

    /// Adds the laptop by a code and six words.
    func pair() async throws { try await homes.pair() }

    /// The id of the last conversation that a device lists.
    func lastConversation(on device: ParleyProcess) async throws -> String {
        let event = try await device.run("conversations", "list", "--json").events.first
        return try #require((event?["conversations"] as? [[String: Any]])?.last?["id"] as? String)
    }
}
