// SPDX-License-Identifier: MIT
internal import AudioDSP

/// How long sound takes from `AudioPlayback.play` out through the loudspeaker, back through the microphone and into
/// the program: found by playing a chirp and correlating what comes back.
public struct LoopbackMeasurement: Sendable, Hashable {
    /// The round trip in frames, the median of the rounds: from the frames that the program had received when it
    /// handed the chirp to `play`, to the chirp's first frame in what it received. To a fraction of a frame.
    public let latencyFrames: Double
    /// Each round's latency in frames, in the order of playing.
    public let rounds: [Double]
    /// How alike the chirp and what came back are, 0…1, in the worst round: 1 for a cable, above 0.5 in a quiet room.
    public let confidence: Double
    /// The peak of what came back, in dBFS, in the last round.
    public let level: Float
    /// The stream's format.
    public let format: AudioFormat

    /// The round trip as time.
    public var latency: Duration {
        .nanoseconds(Int64((latencyFrames * 1e9 / Double(max(1, format.sampleRate))).rounded()))
    }

    /// The longest minus the shortest round, in frames.
    public var spreadFrames: Double { (rounds.max() ?? 0) - (rounds.min() ?? 0) }

    /// Plays chirps into `playback` and listens on `capture`.
    ///
    /// Each round lasts `window`; a round that hears no chirp doubles it, up to eight times. `amplitude` is the chirp's, 0…1.
    /// A round whose chirp comes back before it can have been played does not count: frames were lost on the way. Throws
    /// what the streams throw; `chirpNotHeard` when four rounds bring back nothing like the chirp (the loudspeaker is
    /// muted or far from the microphone, or an echo canceller takes it away), or more than ten lost frames. Cancelling stops
    /// both streams.
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

    /// How many rounds may bring nothing back before that is taken for the answer.
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
                // A sound server may take seconds to wake a loudspeaker that nobody has used.
                misses += 1
                if misses > Self.forgivenRounds { throw error }
                listener.doubleWindow()
            }
            if listener.found.count == rounds { return listener.measurement }
        }
        throw AudioError(.closed, "The microphone ended before the measurement did.")
    }
}

extension AudioError.Code {
    /// A loopback measurement's chirp did not come back.
    public static let chirpNotHeard = AudioError.Code(rawValue: "chirpNotHeard")
}

/// The rounds of a measurement, over pieces of captured sound. Pure.
struct LoopbackListener {
    let format: AudioFormat
    /// What the rounds found: the delay in frames, and how alike the chirp and what came back are, 0…1.
    private(set) var found: [(delay: Double, similarity: Double)] = []

    private var window: Int
    /// The chirp of this round: rising or falling in turn, so that one that comes back late is not taken for the next.
    private var chirp: [Float]
    /// Frames of silence before the chirp.
    private let lead: Int
    /// Rounds that did not count since frames were lost on the way.
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

    /// What is played in each round: silence, the chirp on every channel, and silence. What comes first wakes a sound server,
    /// which may keep the beginning of a stream to itself; what comes last pushes the chirp out of devices that play whole
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

    /// Takes in a piece. True when the chirp is to be played now: a round begins with the frame after this piece.
    mutating func hear(_ piece: CapturedBuffer) -> Bool {
        let end = piece.position + piece.buffer.frameCount
        heard += 1
        if let start {
            // Dropped frames are silence, so that what comes after them keeps its place.
            let missing = piece.position - start - recording.count
            recording += [Float](repeating: 0, count: min(max(0, missing), window)) + piece.buffer.mixedToMono().samples
            return false
        }
        // The first pieces may be what waited in the device since it was opened.
        guard heard > 3 else { return false }
        start = end
        recording = []
        return true
    }

    /// Finds the chirp; throws `chirpNotHeard`. Another round can follow either way.
    mutating func finishRound() throws(AudioError) {
        // What still rings does not belong to the next round.
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
            // Nothing comes back before it is played: a server that got no processor time in time dropped frames.
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

    /// How many rounds may lose frames.
    private static let forgivenLosses = 10

    /// What the rounds come to.
    var measurement: LoopbackMeasurement {
        let delays = found.map(\.delay)
        let sorted = delays.sorted()
        return LoopbackMeasurement(
            latencyFrames: sorted.isEmpty ? 0 : sorted[sorted.count / 2], rounds: delays,
            confidence: found.map(\.similarity).min() ?? 0, level: level, format: format)
    }
}
