// SPDX-License-Identifier: MIT

import AudioKitLinux

/// Somebody who speaks into the conversation's microphone while the assistant speaks, and hears when it falls silent:
/// `person SOCKET JOURNAL TRIALS`. Both are heard at the server's monitors, with the same clock.
struct Person {
    /// What is heard where.
    enum Sound {
        case assistant(CapturedBuffer)
        case own(CapturedBuffer)
    }

    private enum State {
        /// The assistant is to be audible for so long.
        case listening(Duration)
        /// Since speaking was begun; the first sound of it was at the microphone at that instant.
        case speaking(ContinuousClock.Instant?)
    }

    private static let format = AudioFormat(sampleRate: 48_000, channels: 1)
    private static let audible: Float = 0.02
    private static let pause = Duration.milliseconds(200)
    private static let patience = Duration.seconds(8)

    private let journal: Journal
    private let trials: Int
    private let mouth: AudioPlayback
    private var state = State.speaking(nil)
    private var began: ContinuousClock.Instant?
    private var lastLoud: ContinuousClock.Instant?
    private var changed = ContinuousClock.now
    private var results: [Double] = []
    private var isFirst = true

    static func run(socket: String, journal path: String, trials: Int) async throws {
        let configuration = StreamConfiguration(
            format: format, buffer: .milliseconds(200), backlog: .seconds(30))
        let journal = Journal()
        let assistant = try await AudioCapture.start(
            device: ThroughServer.device("loop.monitor", at: socket), configuration: configuration)
        let own = try await AudioCapture.start(
            device: ThroughServer.device("room.monitor", at: socket), configuration: configuration)
        let mouth = try await AudioPlayback.start(
            device: ThroughServer.device("room", at: socket), configuration: configuration)
        let (sounds, output) = AsyncThrowingStream<Sound, any Error>.makeStream()
        var person = Person(journal: journal, trials: trials, mouth: mouth)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for try await piece in assistant.buffers { output.yield(.assistant(piece)) } }
            group.addTask { for try await piece in own.buffers { output.yield(.own(piece)) } }
            // The assistant speaks when it was spoken to.
            try await person.speak()
            for try await sound in sounds where try await person.hear(sound) { break }
            group.cancelAll()
        }
        await mouth.stop()
        try journal.write(to: path)
    }

    private init(journal: Journal, trials: Int, mouth: AudioPlayback) {
        self.journal = journal
        self.trials = trials
        self.mouth = mouth
    }

    private mutating func speak() async throws {
        state = .speaking(nil)
        changed = .now
        _ = try await mouth.play(Self.voice)
    }

    /// - Returns: Whether that was the last trial.
    private mutating func hear(_ sound: Sound) async throws -> Bool {
        guard .now - changed < Self.patience else {
            throw Failure("nothing happened for \(Self.patience) while \(state), after \(results.count) trials")
        }
        switch sound {
        case .own(let piece):
            if case .speaking(nil) = state, let first = Self.loud(piece).first { state = .speaking(first) }
        case .assistant(let piece):
            let loud = Self.loud(piece)
            if let first = loud.first, lastLoud.map({ first - $0 > Self.pause }) ?? true { began = first }
            lastLoud = loud.last ?? lastLoud
            switch state {
            case .listening(let time):
                guard let began, let lastLoud, lastLoud - began >= time else { break }
                try await speak()
            case .speaking(let onset?):
                if isFirst, let began, began > onset {
                    // The canceller's gate hears nothing in the assistant's first two seconds.
                    isFirst = false
                    listen(for: .milliseconds(2_800))
                } else if !isFirst, let lastLoud, piece.capturedAt - max(lastLoud, onset) >= Self.pause {
                    note(max(.zero, lastLoud - onset))
                    listen(for: .milliseconds(400 + 137 * results.count % 500))
                }
            case .speaking(nil): break
            }
        }
        return results.count == trials
    }

    private mutating func listen(for time: Duration) {
        state = .listening(time)
        changed = .now
    }

    private mutating func note(_ time: Duration) {
        results.append(time / .milliseconds(1))
        began = nil
        journal.note("silence", [("took", Int(time / .nanoseconds(1)))])
    }

    /// When the first and the last loud sample of a piece were heard.
    private static func loud(
        _ piece: CapturedBuffer
    ) -> (first: ContinuousClock.Instant?, last: ContinuousClock.Instant?) {
        let samples = piece.buffer.samples
        func instant(_ place: Int) -> ContinuousClock.Instant {
            piece.capturedAt - format.duration(ofFrames: samples.count - 1 - place)
        }
        return (
            samples.firstIndex { abs($0) > audible }.map(instant), samples.lastIndex { abs($0) > audible }.map(instant)
        )
    }

    /// A vowel of 0.35 s, loud from its first few milliseconds on.
    private static let voice: AudioBuffer = {
        let frames = 16_800
        let period = 320
        let samples = (0..<frames).map { place -> Float in
            // Pulses of the voice through a falling spectrum: a saw tooth.
            let wave = 1 - 2 * Float(place % period) / Float(period)
            let edge = min(1, Float(min(place, frames - place)) / 240)
            let syllable = 0.8 + 0.2 * Float(abs(place % 9_600 - 4_800)) / 4_800
            return 0.3 * wave * edge * syllable
        }
        return AudioBuffer(samples: samples, format: format)
    }()
}
