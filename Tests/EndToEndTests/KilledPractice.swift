// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Somebody who practises with a program that is killed again and again, and what the program has told them that it has.
final class KilledPractice {
    /// Which programs run in a round, and when each is killed.
    enum Round {
        /// `parley practice`, which evaluates at the server and sends at its end.
        case practice(KillableRun.Instant)
        /// The same without a server, while the service sends.
        case practiceBesideService(KillableRun.Instant, KillableRun.Instant)
        /// `parley uploads send` after somebody has practised without a server.
        case send(KillableRun.Instant)
        /// `parley practice`, whose server is killed in its stead.
        case practiceAtServer(KillableRun.Instant)
    }

    let fixture: SignInFixture
    private var random: SeededGenerator
    /// The results that the program has said it stored.
    var acknowledged: Set<String> = []
    /// How many programs were killed in all.
    var kills: Int { places.values.reduce(0, +) }
    /// Where they were then: stored, the last state that they had told, or their own name.
    private(set) var places: [String: Int] = [:]
    /// How long things take when nobody is killed.
    private var (practising, sending) = (Duration.zero, Duration.zero)

    init(seed: UInt64) async throws {
        fixture = try SignInFixture()
        random = SeededGenerator(seed: seed)
        try await fixture.signIn()
        try await fixture.giveConsent()
    }

    var folder: String { fixture.parley.folder }

    private var environment: [String: String] {
        fixture.parley.environment.merging(["PARLEY_SERVER": fixture.server.address]) { $1 }
    }

    /// Measures how long the programs take, so that instants can be spread over all of it.
    func measure() async throws {
        // The first time makes keys and loads what is loaded once.
        _ = try await practise(isOffline: false, .never)
        practising = try await practise(isOffline: false, .never).duration
        _ = try await practise(isOffline: true, .never)
        sending = try await send(.never).duration
    }

    /// The next round, by chance.
    func nextRound() -> Round {
        let (kept, stored) = (#""state":"waiting""#, #""event":"result""#)
        // What is interesting begins when the recording is kept, and again when the result is stored.
        func instant(after line: String? = nil) -> KillableRun.Instant {
            let share = Double.random(in: 0..<1, using: &random)
            return line.map { .afterLine($0, practising * 0.4 * share) } ?? .afterStart(practising * share)
        }
        return switch Int.random(in: 0..<10, using: &random) {
        case 0..<2: .practice(instant())
        case 2..<4: .practice(instant(after: kept))
        case 4..<6: .practice(instant(after: stored))
        case 6: .practiceAtServer(instant(after: stored))
        case 7..<9: .practiceBesideService(instant(), instant())
        default: .send(.afterStart(sending * Double.random(in: 0..<1, using: &random)))
        }
    }

    /// Does a round, and notes what was acknowledged in it.
    func play(_ round: Round) async throws {
        switch round {
        case .practice(let instant): _ = try await practise(isOffline: false, instant)
        case .practiceBesideService(let instant, let other):
            let run = try KillableRun(["service", "--json"], environment: environment)
            async let service = run.finish(at: other)
            _ = try await practise(isOffline: true, instant)
            let ending = await service
            #expect(ending.isKilled, "\(ending)")
            places["service", default: 0] += 1
        case .send(let instant):
            _ = try await practise(isOffline: true, .never)
            _ = try await send(instant)
        case .practiceAtServer(let instant):
            _ = try await practise(isOffline: false, instant, killingServer: true)
            try fixture.restartServer()
        }
    }

    private func practise(
        isOffline: Bool, _ instant: KillableRun.Instant, killingServer: Bool = false
    ) async throws -> KillableRun.Ending {
        let words =
            ["practice", "--language", "en", "--json", "--input", try sound()] + (isOffline ? ["--offline"] : [])
        let run = try KillableRun(words, environment: environment)
        let ending = await run.finish(at: instant, killing: killingServer ? fixture.server.kill : nil) { line in
            let isForEnter = [#""state":"viewing""#, #""state":"reviewing""#].contains { line.contains($0) }
            if isForEnter { return "\n" }
            return line.contains(#""state":"result""#) ? "q\n" : nil
        }
        #expect(ending.isKilled || ending.code == 0, "\(words): \(ending)")
        for event in ending.events where event["event"] as? String == "result" {
            acknowledged.insert(try #require(event["id"] as? String))
        }
        if ending.isOther { places["server", default: 0] += 1 }
        if ending.isKilled {
            let states = ending.events.compactMap { $0["state"] as? String }
            let isStored = ending.events.contains { $0["event"] as? String == "result" }
            places["practice \(isStored ? "stored" : states.last ?? "starting")", default: 0] += 1
        }
        return ending
    }

    private func send(_ instant: KillableRun.Instant) async throws -> KillableRun.Ending {
        let ending = try await KillableRun(["uploads", "send", "--json"], environment: environment).finish(at: instant)
        #expect(ending.isKilled || ending.code == 0, "\(ending)")
        if ending.isKilled { places["uploads send", default: 0] += 1 }
        return ending
    }

    /// Half a second of noise that was never there before.
    private func sound() throws -> String {
        var bytes = Data()
        for _ in 0..<8_000 {
            let sample = Int16.random(in: -3_000...3_000, using: &random)
            withUnsafeBytes(of: sample.littleEndian) { bytes += $0 }
        }
        let raw = try SoundFixtures(folder: folder).file("sound.raw", bytes)
        let path = folder + "/sound.wav"
        try SoundFixtures.tool(
            "/usr/bin/sox", ["-t", "raw", "-r", "16000", "-c", "1", "-b", "16", "-e", "signed-integer", raw, path])
        return path
    }
}
