// SPDX-License-Identifier: MIT
import AudioKitLinux
import CAudioStreamTestSupport
import Synchronization
import TestKit

/// Plays and records over a virtual card whose clock runs faster than real time, while seeded faults occur: overruns
/// and underruns, suspends, a pulled plug, a freeze, and failures. Afterwards every frame is accounted for.
struct Soak {
    var seed: UInt64
    var faults: Int
    /// Seconds of the card's time.
    var seconds: Int
    /// The number of the card's seconds in a real second.
    var speed: Double

    private let recovery = AudioRecovery(
        reopens: true, firstDelay: .milliseconds(1), maximumDelay: .milliseconds(8), patience: .milliseconds(60))
    /// At least a second of the card's time, and a quarter of real time for a thread that waits for a processor.
    private var buffer: Duration { .milliseconds(max(1_000, Int(250 * speed))) }

    init(seed: UInt64, faults: Int, seconds: Int, speed: Double) {
        (self.seed, self.faults, self.seconds, self.speed) = (seed, faults, seconds, speed)
    }

    func run() async throws {
        let before = Footprint.now()
        var after = before
        for round in 0..<2 {
            // The first round allocates memory that is kept.
            if round == 0 {
                try await stream(faults: min(10, faults), seconds: min(10, seconds))
            } else {
                try await stream(faults: faults, seconds: seconds)
            }
            let now = Footprint.now()
            if round == 0 { after = now } else { after = try now.grown(since: after) }
        }
        print("well: seed \(seed), \(after)")
    }

    private func stream(faults: Int, seconds: Int) async throws {
        let loudspeaker = Loudspeaker()
        let card = try VirtualCard(
            speed: speed, capture: .generator(Tape.sample), playback: .consumer { loudspeaker.hear($0) },
            timing: .strict)
        var configuration = StreamConfiguration(period: .milliseconds(100), buffer: buffer)
        // No consumer may be too slow: each lost frame is then the device's.
        configuration.backlog = .seconds(3_600)
        let capture = try await AudioCapture.start(
            device: .virtual(card), configuration: configuration, recovery: recovery)
        configuration.backlog = buffer
        let playback = try await AudioPlayback.start(
            device: .virtual(card), configuration: configuration, recovery: recovery)
        let announcements = playback.announcements()
        let feeder = Feeder()
        async let interruptions = Self.interruptions(of: capture)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await feeder.run(playback, announcements) }
            try await listen(capture, playback, card, faults: faults, seconds: seconds)
            feeder.mustEnd.store(true, ordering: .relaxed)
            try await group.waitForAll()
        }
        await playback.stop()
        try loudspeaker.check(frames: playback.framesAccepted, playback.statistics, maximumRepeat: buffer)
        let statistics = capture.statistics
        let told = await interruptions
        // An overrun right before the device is lost is part of that interruption.
        guard (statistics.reopens...statistics.reopens + statistics.xruns).contains(told) else {
            throw Failure("\(told) interruptions were told of, but the statistics say \(statistics)")
        }
        print(
            "\(faults) faults in \(seconds) s: capture \(statistics), playback \(playback.statistics), heard twice"
                + " \(loudspeaker.again)")
    }

    /// The number of interruptions that a stream reports until it ends.
    private static func interruptions(of capture: AudioCapture) async -> Int {
        var count = 0
        for await event in capture.events { if case .interruptionEnded = event { count += 1 } }
        return count
    }

    /// Reads the microphone's sound and injects the faults; ends when the time is over.
    private func listen(
        _ capture: AudioCapture, _ playback: AudioPlayback, _ card: VirtualCard, faults: Int, seconds: Int
    ) async throws {
        var random = SeededGenerator(seed: seed)
        let gap = seconds * 16_000 / max(1, faults)
        var nextFault = gap / 2
        var pending: (mended: Int, since: Int)?
        var left = faults
        var account = Account()
        for try await buffer in capture.buffers {
            try account.hear(buffer)
            let statistics = capture.statistics
            let mended = statistics.xruns + statistics.reopens
            // A fault that found no running stream is injected again.
            if let fault = pending, mended > fault.mended || account.buffers > fault.since + 20 {
                if mended > fault.mended { left -= 1 }
                pending = nil
            }
            if left == 0, account.expected >= seconds * 16_000 { await capture.stop() }
            guard pending == nil, left > 0, account.expected >= nextFault else { continue }
            pending = (mended, account.buffers)
            nextFault = account.expected + Int.random(in: gap / 2...gap, using: &random)
            let fault = VirtualFault.allCases.randomElement(using: &random) ?? .stall
            card.inject(fault)
            if fault == .unplug {
                // Until both streams have noticed, and one try or two more.
                try await eventually { !capture.state.isActive && !playback.state.isActive }
                card.replug()
            }
        }
        try account.check(capture.statistics)
        guard capture.state.isActive else { throw Failure("the microphone is \(capture.state)") }
    }
}

/// Keeps a loudspeaker playing until it must end.
private final class Feeder: Sendable {
    let mustEnd = Atomic(false)

    func run(_ playback: AudioPlayback, _ announcements: PlaybackAnnouncements) async throws {
        while !mustEnd.load(ordering: .relaxed) {
            let first = playback.framesAccepted
            let samples = (first..<first + 1_600).map(Tape.sample)
            try await playback.play(AudioBuffer(samples: samples, format: .speech))
            _ = announcements.take()
        }
        try await playback.drain()
    }
}

extension AudioSession.State {
    fileprivate var isActive: Bool { if case .active = self { true } else { false } }
}
