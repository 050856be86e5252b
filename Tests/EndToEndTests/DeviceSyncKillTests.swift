// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// `kill -9` of two devices and of the relay between them at any instant: each question that was answered is on both devices
/// in the end, and once.
///
/// `Scripts/soak sync-kill` runs it for longer: PARLEY_SYNC_KILL_ROUNDS and PARLEY_SYNC_KILL_SEED say how long, and on what
/// way.
@Suite(.timeLimit(.minutes(60))) struct DeviceSyncKillTests {
    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    @Test func `what was answered is on both devices, and once`() async throws {
        let rounds = Self.number("PARLEY_SYNC_KILL_ROUNDS") ?? 10
        let seed = UInt64(Self.number("PARLEY_SYNC_KILL_SEED") ?? .random(in: 1...999_999_999))
        let started = ContinuousClock.now
        var devices = try await KilledDevices(seed: seed)
        for round in 1...rounds {
            try await devices.play(round)
            guard round.isMultiple(of: 20) || round == rounds else { continue }
            let faults = try await devices.faults()
            #expect(faults.isEmpty, "seed \(seed), round \(round)")
            if !faults.isEmpty { break }
        }
        let kills = devices.kills.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        print(
            "sync-kill: \(rounds) rounds, seed \(seed): kills (\(kills)); \(devices.answered.count) answered questions are "
                + "on both devices, in \(ContinuousClock.now - started)")
        // The test is worth nothing if nothing was killed.
        #expect(devices.kills.values.reduce(0, +) > 0 && !devices.answered.isEmpty, "seed \(seed)")
    }
}

/// Two devices and a relay that are killed again and again, and what the devices told the person.
private struct KilledDevices {
    private let relay: RelayedDevices
    private let devices: [ParleyProcess]
    private var random: SeededGenerator
    /// How long the programs took when nobody killed them last: kills follow a machine that gets slower or faster.
    private var (asking, exchanging) = (Duration.zero, Duration.zero)
    /// The questions whose `ask` ended well.
    private(set) var answered: Set<String> = []
    /// The other ones: each may be there once, or not at all.
    private var unanswered: Set<String> = []
    private(set) var kills: [String: Int] = [:]

    init(seed: UInt64) async throws {
        relay = try RelayedDevices()
        devices = [try ParleyProcess(), try ParleyProcess()]
        random = SeededGenerator(seed: seed)
        try await relay.setUp(devices[0], devices[1])
        for number in 1...2 { _ = try await ask(devices[0], number, .never) }
        _ = try await exchange(devices[0], .never)
    }

    private func words(_ number: Int) -> String { "What is the capital of Ohio, question \(number)?" }

    private mutating func instant(_ usual: Duration) -> KillableRun.Instant {
        .afterStart(usual * Double.random(in: 0..<1.3, using: &random))
    }

    private func start(_ device: ParleyProcess, _ arguments: [String]) throws -> KillableRun {
        try KillableRun(arguments, environment: relay.environment(of: device))
    }

    /// Questions are asked, with or without an end; then something is exchanged while something is killed.
    mutating func play(_ round: Int) async throws {
        let (device, other) = Bool.random(using: &random) ? (devices[0], devices[1]) : (devices[1], devices[0])
        _ = try await ask(device, round * 10, .never)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: _ = try await ask(other, round * 10 + 1, instant(asking))
        case 1: _ = try await exchange(device, instant(exchanging))
        case 2:
            let run = try start(other, ["sync", "now", "--json"])
            let end = instant(exchanging)
            async let beside = run.finish(at: end)
            _ = try await exchange(device, .never)
            note(await beside, "sync now")
        case 3:
            let run = try start(device, ["sync", "now", "--json"])
            let (end, other) = (instant(exchanging), instant(asking))
            async let beside = run.finish(at: end)
            _ = try await ask(device, round * 10 + 2, other)
            note(await beside, "sync now")
        default:
            let run = try start(device, ["sync", "now", "--json"])
            note(await run.finish(at: instant(exchanging), killing: relay.server.kill), "server")
            try relay.restartServer()
        }
    }

    private mutating func note(_ ending: KillableRun.Ending, _ name: String) {
        if ending.isKilled || ending.isOther { kills[name, default: 0] += 1 }
        // 5: the server was out of reach.
        #expect(ending.isKilled || ending.code == 0 || ending.code == 5 && name == "server", "\(name): \(ending)")
        #expect(!ending.lines.contains { $0.contains(#""findings":[{"#) }, "\(ending)")
    }

    private mutating func ask(
        _ device: ParleyProcess, _ number: Int, _ instant: KillableRun.Instant
    ) async throws -> KillableRun.Ending {
        let ending = try await start(device, ["ask", words(number)]).finish(at: instant)
        note(ending, "ask")
        if ending.isKilled {
            unanswered.insert(words(number))
        } else {
            answered.insert(words(number))
            asking = ending.duration
        }
        return ending
    }

    private mutating func exchange(
        _ device: ParleyProcess, _ instant: KillableRun.Instant
    ) async throws -> KillableRun.Ending {
        let ending = try await start(device, ["sync", "now", "--json"]).finish(at: instant)
        note(ending, "sync now")
        if !ending.isKilled { exchanging = ending.duration }
        return ending
    }

    /// Exchanges in peace, and compares.
    func faults() async throws -> [String] {
        var faults: [String] = []
        for _ in 0..<2 {
            for device in devices {
                let report = try await relay.run(device, "sync", "now", "--json")
                if !report.output.contains(#""findings":[]"#) { faults.append("a finding: \(report.output)") }
            }
        }
        for (index, device) in devices.enumerated() {
            let counts = try await relay.questions(on: device).reduce(into: [:]) { $0[$1, default: 0] += 1 }
            for question in answered where counts[question] != 1 {
                faults.append("device \(index) has \(counts[question] ?? 0) times: \(question)")
            }
            for (question, count) in counts where count > 1 || !answered.union(unanswered).contains(question) {
                faults.append("device \(index) has \(count) times: \(question)")
            }
            faults += try await RelayedDevices.databaseFaults(in: device.path("home"))
        }
        let histories = [try await relay.questions(on: devices[0]), try await relay.questions(on: devices[1])]
        if Set(histories[0]) != Set(histories[1]) { faults.append("the devices differ") }
        return faults + (try await RelayedDevices.databaseFaults(in: relay.serverHome.path))
    }
}
