// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Two devices of a person, each with a home of its own, that meet at one place.
struct PairedHomes {
    let desk: ParleyProcess
    let laptop: ParleyProcess
    /// The options that name the place.
    let place: [String]
    /// The place's password; nil for none.
    var password: String?
    /// Goes before the program's own environment.
    var environment: [String: String] = [:]

    init(at place: [String]) throws {
        (desk, laptop) = (try ParleyProcess(), try ParleyProcess())
        self.place = place
    }

    /// Asks a question that the machine answers itself.
    func ask(_ question: String, on device: ParleyProcess) async throws {
        let run = try await device.run("ask", question)
        #expect(run.code == 0, "\(run.errors)")
    }

    /// Runs a command that must succeed.
    @discardableResult
    func run(_ device: ParleyProcess, _ arguments: String..., input: String = "") async throws -> ParleyProcess.Result {
        let running = try device.start(arguments, environment: environment)
        running.write(input)
        let run = await running.finished()
        #expect(run.code == 0, "\(arguments): \(run.errors)")
        return run
    }

    /// Begins at the desk.
    func setUp() async throws {
        let running = try desk.start(
            ["sync", "setup", "--name", "desk", "--store", "file"] + place, environment: environment)
        running.write(password ?? "")
        let run = await running.finished()
        try #require(run.code == 0, "\(run.errors)")
    }

    /// Runs `sync add-device` and `sync join` up to the six words.
    func beginPairing() async throws -> (member: TerminalRun, newcomer: TerminalRun) {
        let member = try terminal(desk, ["sync", "add-device"])
        try await member.shows("Waiting for the other device.")
        let code = try #require(member.text.firstMatch(of: /The code is ([A-Z0-9-]+)\./)).1
        let newcomer = try terminal(
            laptop, ["sync", "join", String(code), "--name", "laptop", "--store", "file"] + place)
        if let password {
            try await newcomer.shows("Password of")
            try newcomer.type(password + "\n")
        }
        return (member, newcomer)
    }

    /// Makes the laptop the second device.
    func pair() async throws {
        let (member, newcomer) = try await beginPairing()
        for run in [member, newcomer] { try await run.shows("Type \"yes\"") }
        let words = [member, newcomer].map { $0.text.firstMatch(of: /Here they are\s+([a-z ]+)/)?.1 }
        #expect(words[0] != nil && words[0] == words[1])
        for run in [member, newcomer] { try run.type("yes\n") }
        #expect(await member.code() == 0, "\(member.text)")
        try #require(await newcomer.code() == 0, "\(newcomer.text)")
    }

    /// Exchanges on devices, one after another.
    func exchange(_ devices: ParleyProcess...) async throws {
        for device in devices { try await run(device, "sync", "now") }
    }

    /// The questions and answers of a device.
    func history(of device: ParleyProcess) async throws -> String { try await device.run("history").output }

    /// Starts `parley service`, whose errors are among its output.
    func service(on device: ParleyProcess) throws -> ChildProcess {
        try device.start(["service", "--json"], environment: environment, mergesErrors: true)
    }

    /// The words of `sync status` as JSON.
    func status(of device: ParleyProcess) async throws -> [String: Any] {
        try #require(try await run(device, "sync", "status", "--json").events.first)
    }

    func terminal(_ device: ParleyProcess, _ arguments: [String]) throws -> TerminalRun {
        try TerminalRun(
            [ParleyProcess.executable] + arguments,
            environment: device.environment.merging(["NO_COLOR": "1"]) { $1 }.merging(environment) { $1 })
    }
}

extension ChildProcess {
    /// Reads lines until one has a text; false at the end.
    func says(_ text: String) async -> Bool {
        await detached { child in
            while let line = child.line() { if line.contains(text) { return true } }
            return false
        }
    }
}
