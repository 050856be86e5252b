// SPDX-License-Identifier: MIT
internal import AudioDSP

/// The delay of sound from `AudioPlayback.play` out through the loudspeaker, back through the microphone and into the
/// program, measured by playing a chirp and correlating the captured sound.
public struct LoopbackMeasurement: Sendable, Hashable {
    /// The round trip in frames, the median of the rounds: from the frames that the program had received when it passed
    /// the chirp to `play`, to the chirp's first frame in the received sound. To a fraction of a frame.
    public let latencyFrames: Double
    /// Each round's latency in frames, in the order of playing.
    public let rounds: [Double]
    /// The similarity of chirp and captured sound, 0…1, in the worst round: 1 for a cable, above 0.5 in a quiet room.
    public let confidence: Double
    /// The peak of the captured sound, in dBFS, in the last round.
    public let level: Float
    /// The stream's format.
    public let format: AudioFormat

    /// The round trip as a duration.
    public var latency: Duration {
        .nanoseconds(Int64((latencyFrames * 1e9 / Double(max(1, format.sampleRate))).rounded()))
    }

    /// The longest minus the shortest round, in frames.
    public var spreadFrames: Double { (rounds.max() ?? 0) - (rounds.min() ?? 0) }

    /// Plays chirps into `playback` and listens on `capture`.
    ///
    /// Each round lasts `window`; a round that hears no chirp doubles it, up to eight times. `amplitude` is the
    /// chirp's, 0…1. A round whose chirp returns before it can have been played does not count: frames were lost on the
    /// way. Throws the errors of the streams; `chirpNotHeard` if four rounds capture nothing like the chirp (the
    /// loudspeaker is muted or far from the microphone, or an echo canceller removes it), or more than ten lose frames.
    /// Cancelling stops both streams, and throws `CancellationError`.
    public static func measure(
        playback: AudioDevice = .default, capture: AudioDevice = .default,
        configuration: StreamConfiguration = StreamConfiguration(), rounds: Int = 3, window: Duration = .seconds(1),
        amplitude: Float = 0.5
    ) async throws -> LoopbackMeasurement {
        guard window >= .milliseconds(200), window <= .seconds(30), (1...100).contains(rounds) else {
            throw AudioError(
                .formatNotSupported, "A loopback measurement takes 1 to 100 rounds of 0.2 to 30 seconds each.")
        }
        let input = try await AudioCapture.start(device: capture, configuration: configuration)
        do {
            let output = try await AudioPlayback.start(device: playback, configuration: configuration)
            do {
                var listener = LoopbackListener(
                    format: configuration.format, window: configuration.format.frames(in: window),
                    amplitude: amplitude)
                let result = try await run(&listener, rounds, input, output)
                await output.stop()
                await input.stop()
                return result
            } catch {
                await output.stop()
                throw error
            }
        } catch {
            await input.stop()
            throw error
        }
    }

    /// The number of rounds that may fail to capture the chirp without ending the measurement.
    private static let forgivenRounds = 3

    private static func run(
        _ listener: inout LoopbackListener, _ rounds: Int, _ input: AudioCapture, _ output: AudioPlayback
    ) async throws -> LoopbackMeasurement {
        var misses = 0
        for try await piece in input.buffers {
            if listener.hear(piece) {
                try await output.play(listener.sound)
            }
            guard listener.isRoundOver else { continue }
            do throws(AudioError) {
                try listener.finishRound()
            } catch {
                // A sound server may take seconds to wake an idle loudspeaker.
                misses += 1
                if misses > Self.forgivenRounds { throw error }
                listener.doubleWindow()
            }
            if listener.found.count == rounds { return listener.measurement }
        }
        try Task.checkCancellation()
        throw AudioError(.closed, "The microphone ended before the measurement did.")
    }
}

extension AudioError.Code {
    /// A loopback measurement did not capture its chirp.
    public static let chirpNotHeard = AudioError.Code(rawValue: "chirpNotHeard")
}

/// The rounds of a measurement, over buffers of captured sound. Pure.
struct LoopbackListener {
    let format: AudioFormat
    /// The results of the rounds: the delay in frames, and the similarity of the chirp and the captured sound, 0…1.
    private(set) var found: [(delay: Double, similarity: Double)] = []

    private var window: Int
    /// The chirp of this round: rising or falling in turn, so that a late one is not taken for the next.
    private var chirp: [Float]
    /// Frames of silence before the chirp.
    private let lead: Int
    /// Rounds that did not count because frames were lost on the way.
    private var lostRounds = 0
    private var recording: [Float] = []
    /// The first frame of the recording; nil before the round.
    private var start: Int?
    private var heard = 0
    private var level: Float = -120

    init(format: AudioFormat, window: Int, amplitude: Float) {
        self.format = format
        self.window = window
        let frames = format.frames(in: .milliseconds(100))
        let highest = max(600, min(6_000, 0.4 * Double(format.sampleRate)))
        chirp = Chirp.samples(
            frames, frequencies: 500...highest, sampleRate: Double(format.sampleRate),
            amplitude: min(max(amplitude, 0), 1))
        lead = format.frames(in: .milliseconds(300))
    }

    /// The sound of each round: silence, the chirp on every channel, and silence. The first silence wakes a sound
    /// server, which may drop the beginning of a stream; the last pushes the chirp out of devices that play whole
    /// periods only.
    var sound: AudioBuffer {
        let silence = { [Float](repeating: 0, count: $0) }
        return AudioBuffer(
            samples: silence(lead) + chirp + silence(chirp.count), format: AudioFormat(sampleRate: format.sampleRate)
        ).withChannels(format.channels)
    }

    /// True if the round's recording is long enough.
    var isRoundOver: Bool { start != nil && recording.count >= lead + window + chirp.count }

    /// Waits longer from now on.
    mutating func doubleWindow() { window *= 2 }

    /// Adds a buffer. Returns true if the chirp is to be played now: a round begins with the frame after this buffer.
    mutating func hear(_ piece: CapturedBuffer) -> Bool {
        let end = piece.position + piece.buffer.frameCount
        heard += 1
        if let start {
            // Dropped frames become silence, so that the later ones keep their position.
            let missing = piece.position - start - recording.count
            recording += [Float](repeating: 0, count: min(max(0, missing), window)) + piece.buffer.mixedToMono().samples
            return false
        }
        // The first buffers may be sound that waited in the device since it was opened.
        guard heard > 3 else { return false }
        start = end
        recording = []
        return true
    }

    /// Finds the chirp; throws `chirpNotHeard`. Another round can follow either way.
    mutating func finishRound() throws(AudioError) {
        // Remaining echo does not belong to the next round.
        defer {
            (start, heard) = (nil, 0)
            chirp.reverse()
        }
        let match = CrossCorrelation.find(chirp, in: recording)
        let peak = AudioLevel(of: AudioBuffer(samples: recording, format: AudioFormat(sampleRate: format.sampleRate)))
            .peak
        guard let match, abs(match.similarity) > 0.25, match.distinctness > 1.2 else {
            throw AudioError(
                .chirpNotHeard,
                "The chirp did not come back: the loudest sound was \(Int(peak)) dBFS. Raise the volume, bring the"
                    + " microphone to the loudspeaker, or switch off echo cancellation.")
        }
        let delay = match.delay - Double(lead)
        guard delay > -0.5 else {
            // No sound returns before it is played: a server that got too little processor time dropped frames.
            lostRounds += 1
            guard lostRounds <= Self.forgivenLosses else {
                throw AudioError(
                    .chirpNotHeard, "The sound server loses sound: close programs that compute, and measure again.")
            }
            return
        }
        found.append((max(0, delay), abs(match.similarity)))
        level = peak
    }

    /// The number of rounds that may lose frames.
    private static let forgivenLosses = 10

    /// The result of the rounds.
    var measurement: LoopbackMeasurement {
        let delays = found.map(\.delay)
        let sorted = delays.sorted()
        return LoopbackMeasurement(
            latencyFrames: sorted.isEmpty ? 0 : sorted[sorted.count / 2], rounds: delays,
            confidence: found.map(\.similarity).min() ?? 0, level: level, format: format)
    }
}
