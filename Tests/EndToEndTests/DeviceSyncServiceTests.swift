// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// `parley service` on two devices with a folder between them: nobody types a command of sync.
@Suite(.timeLimit(.minutes(5))) struct DeviceSyncServiceTests {
    private let shared: TemporaryFolder
    private let homes: PairedHomes

    init() throws {
        shared = try TemporaryFolder()
        homes = try PairedHomes(at: ["--folder", shared.path])
    }

    /// Reads what a service says until the history of its device has a word.
    private func arrives(_ word: String, on device: ParleyProcess, _ service: ChildProcess) async throws {
        while try await !homes.history(of: device).contains(word) {
            try #require(await service.says("\"exchanged\""), "\(word) never arrives")
        }
    }

    private func end(_ service: ChildProcess) async {
        service.kill(SIGTERM)
        #expect(await service.finished().code == 130)
    }

    private func paired() async throws -> (desk: ChildProcess, laptop: ChildProcess) {
        try await homes.setUp()
        try await homes.pair()
        let services = (desk: try homes.service(on: homes.desk), laptop: try homes.service(on: homes.laptop))
        for service in [services.desk, services.laptop] {
            try #require(await service.says("Keeping your devices in step"))
        }
        return services
    }

    @Test func `a question asked on one device appears on the other`() async throws {
        let services = try await paired()
        try await homes.ask("capital of Ohio", on: homes.desk)
        try await arrives("Columbus", on: homes.laptop, services.laptop)
        try await homes.ask("capital of Iowa", on: homes.laptop)
        try await arrives("Des Moines", on: homes.desk, services.desk)
        await end(services.desk)
        await end(services.laptop)
    }

    @Test func `pause stops a running service and resume sends what waited`() async throws {
        let services = try await paired()
        try await homes.run(homes.laptop, "sync", "pause")
        try #require(await services.laptop.says("Sync is paused"))
        try await homes.ask("capital of Utah", on: homes.laptop)
        #expect(try await homes.status(of: homes.laptop)["isPaused"] as? Bool == true)
        #expect(try await homes.status(of: homes.laptop)["waiting"] as? Int ?? 0 > 0)
        try await homes.ask("capital of Ohio", on: homes.desk)
        try #require(await services.desk.says("\"exchanged\""))
        #expect(try await !homes.history(of: homes.laptop).contains("Columbus"))
        // The person may exchange all the same.
        let asked = try await homes.run(homes.laptop, "sync", "now")
        #expect(asked.errors.contains("still paused"), "\(asked.errors)")
        #expect(try await homes.history(of: homes.laptop).contains("Columbus"))
        try await homes.ask("capital of Iowa", on: homes.laptop)
        try await homes.run(homes.laptop, "sync", "resume")
        try #require(await services.laptop.says("Keeping your devices in step"))
        try await arrives("Des Moines", on: homes.desk, services.desk)
        await end(services.desk)
        await end(services.laptop)
    }

    @Test func `a service and commands exchange at once and nothing is doubled`() async throws {
        let services = try await paired()
        let states = ["Texas", "Ohio", "Iowa", "Utah"]
        for state in states {
            try await homes.ask("capital of \(state)", on: homes.desk)
            let runs = try (0..<3).map { _ in try homes.desk.start(["sync", "now"]) }
            for run in runs {
                let result = await run.finished()
                #expect(result.code == 0 && !result.errors.contains("two histories"), "\(result.errors)")
            }
        }
        try await arrives("Salt Lake City", on: homes.laptop, services.laptop)
        let listed = try await homes.laptop.run("history", "--json").events.first?["messages"] as? [Any]
        #expect(listed?.count == states.count * 2)
        await end(services.desk)
        await end(services.laptop)
    }

    @Test func `setup and leave are noticed by a service that runs`() async throws {
        let service = try homes.service(on: homes.desk)
        try #require(await service.says("Nobody is signed in"))
        try await homes.setUp()
        try #require(await service.says("Keeping your devices in step"))
        try await homes.pair()
        try await homes.run(homes.desk, "sync", "leave", "--yes")
        try await homes.ask("capital of Ohio", on: homes.desk)
        try await homes.exchange(homes.laptop)
        #expect(try await !homes.history(of: homes.laptop).contains("Columbus"))
        await end(service)
    }

    @Test func `a place that vanishes is said once and used again once it is back`() async throws {
        let services = try await paired()
        try FileManager.default.moveItem(atPath: shared.path, toPath: shared.path + ".away")
        try await homes.ask("capital of Ohio", on: homes.desk)
        try #require(await services.desk.says("\"syncWaits\""))
        let status = try #require(try await homes.desk.run("status", "--json").events.first?["sync"] as? [String: Any])
        #expect(status["waiting"] as? Int ?? 0 > 0 && status["waitingSince"] is String, "\(status)")
        #expect((status["failure"] as? [String: Any])?["reason"] is String, "\(status)")
        let doctor = try await homes.desk.run("doctor")
        #expect(doctor.output.contains("limited  Sync: The exchange at"), "\(doctor.output)")
        let text = try await homes.run(homes.desk, "sync", "status").output
        #expect(text.contains("since") && text.contains("failed"), "\(text)")
        try FileManager.default.moveItem(atPath: shared.path + ".away", toPath: shared.path)
        // Pause and resume is the quickest way to another attempt.
        try await homes.run(homes.desk, "sync", "pause")
        try #require(await services.desk.says("Sync is paused"))
        try await homes.run(homes.desk, "sync", "resume")
        try await arrives("Columbus", on: homes.laptop, services.laptop)
        await end(services.desk)
        await end(services.laptop)
    }

    @Test func `deleting everything on one device deletes nothing on the other`() async throws {
        let services = try await paired()
        try await homes.ask("capital of Ohio", on: homes.desk)
        try await arrives("Columbus", on: homes.laptop, services.laptop)
        try await homes.run(homes.laptop, "data", "delete", "--yes", "--offline")
        #expect(try await !homes.history(of: homes.laptop).contains("Columbus"))
        try await homes.exchange(homes.desk)
        #expect(try await homes.history(of: homes.desk).contains("Columbus"))
        await end(services.desk)
        await end(services.laptop)
    }

    @Test func `closing the app lock stops a service and seals everything`() async throws {
        let services = try await paired()
        try await homes.ask("capital of Ohio", on: homes.desk)
        try await arrives("Columbus", on: homes.laptop, services.laptop)
        let lock = try homes.terminal(homes.desk, ["secrets", "lock"])
        for question in ["New passphrase:", "Once more:"] {
            try await lock.shows(question)
            try lock.type("open sesame\n")
        }
        #expect(await lock.code() == 0, "\(lock.text)")
        try #require(await services.desk.says("The app lock is closed"))
        #expect(!lock.text.contains("not sealed"), "\(lock.text)")
        let status = try #require(try await homes.desk.run("status", "--json").events.first)
        #expect(status["isLocked"] as? Bool == true && status["sync"] == nil, "\(status)")
        let unlock = try homes.terminal(homes.desk, ["secrets", "unlock"])
        try await unlock.shows("Passphrase:")
        try unlock.type("open sesame\n")
        #expect(await unlock.code() == 0, "\(unlock.text)")
        try #require(await services.desk.says("Keeping your devices in step"))
        await end(services.desk)
        await end(services.laptop)
    }
}
