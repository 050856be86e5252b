// SPDX-License-Identifier: MIT

internal import AudioDSP
import AudioKitLinux
import AudioKitLinuxTestSupport
import Testing

/// What comes out of the server's monitor is what was played: every sample, once, in order.
extension InTurn.SoundServerTests {
    @Test func whatIsPlayedIsHeardOnceAndWhole() async throws {
        let capture = try await AudioCapture.start(device: server.capture, configuration: LoopSound.configuration)
        let playback = try await AudioPlayback.start(device: server.playback, configuration: LoopSound.configuration)
        var listener = LoopListener(capture)
        // The server delivers: from here on nothing that it plays is missed.
        try await listener.hear(frames: 1)
        // The second comes after a rest of seconds and must be as whole as the first. A server that waits for a processor may
        // run dry in the middle: then the sound is played again, five times at most.
        for turn in 0..<2 as Range<UInt64> {
            var complaint: String? = "nothing was heard"
            for attempt in 0..<5 as Range<UInt64> where complaint != nil {
                complaint = try await play(LoopSound(frames: 96_000, seed: 10 * turn + attempt), playback, &listener)
            }
            #expect(complaint == nil, "sound \(turn)")
        }
        #expect(playback.framesHeard == playback.framesAccepted && playback.statistics.reopens == 0)
        #expect(capture.statistics == StreamStatistics() && listener.gaps == 0)
        await playback.stop()
        await capture.stop()
    }

    /// Plays a sound and listens until a second of silence after it. Returns how what came back differs; nil when it does
    /// not.
    private func play(
        _ sound: LoopSound, _ playback: AudioPlayback, _ listener: inout LoopListener
    ) async throws -> String? {
        let before = listener.heard.count
        try await playback.play(sound.buffer)
        async let drained: Void = playback.drain()
        // With some of the noise, so that it is this sound and not an earlier one.
        let head = Array(sound.samples.prefix(9_600))
        var heard: [Float] = []
        var found: CrossCorrelation.Match?
        for _ in 0..<6 {
            try await listener.hear(frames: 96_000)
            heard = Array(listener.heard.dropFirst(before))
            found = CrossCorrelation.find(head, in: heard)
            guard let found, found.similarity > 0.999 else { continue }
            if Int(found.delay) + sound.samples.count + 48_000 < heard.count { break }
        }
        try await drained
        // A rest.
        try await listener.hear(frames: 96_000)
        guard let match = found, match.similarity > 0.999 else { return "the sound is not there" }
        let start = Int(match.delay.rounded())
        return difference(heard.dropFirst(start).prefix(sound.samples.count), sound.samples)
            ?? (heard.dropFirst(start + sound.samples.count).allSatisfy { $0 == 0 } ? nil : "it is heard again")
    }
}

/// Sound that is found again in a recording: silence, a chirp, then noise, of which no frame is silent.
struct LoopSound {
    /// The device holds so much that whoever waits for a processor causes no gap.
    static let configuration = StreamConfiguration(
        format: PulseDaemon.format, period: .milliseconds(20), buffer: .seconds(1), backlog: .seconds(60))

    /// Frames of silence before the sound: PulseAudio keeps the beginning of a new stream from the monitor, also with its
    /// own `paplay` and `parec`. 0.3 to 11 ms were seen, and 0.2 s from a server that had just started on a busy machine.
    static let lead = 48_000

    let chirp: [Float]
    /// What sounds, on each channel.
    let samples: [Float]
    /// All of it, to be played.
    let buffer: AudioBuffer

    /// `frames` of sound after the lead.
    init(frames: Int, seed: UInt64, format: AudioFormat = PulseDaemon.format) {
        let mono = AudioFormat(sampleRate: format.sampleRate)
        let glide = Chirp.samples(4_800, sampleRate: Double(format.sampleRate)).map { Int16($0 * 32_000) | 1 }
        let noise = TestSignal.noise(frames: frames - glide.count, format: mono, seed: seed).int16Samples()
        chirp = glide.map { Float($0) / 32_768 }
        samples = AudioBuffer(int16: glide + noise, format: mono).samples
        let all = [Int16](repeating: 0, count: Self.lead) + glide + noise
        buffer = AudioBuffer(
            int16: all.flatMap { [Int16](repeating: $0, count: format.channels) }, format: format)
    }
}

/// The first channel of what a capture stream delivers in a row.
struct LoopListener {
    private(set) var heard: [Float] = []
    /// How often the positions jumped.
    private(set) var gaps = 0

    private var iterator: AsyncThrowingStream<CapturedBuffer, any Error>.Iterator
    private var position: Int?
    private var sounding = 0
    private let format = PulseDaemon.format

    init(_ capture: AudioCapture) { iterator = capture.buffers.makeAsyncIterator() }

    /// Listens to `count` more frames.
    mutating func hear(frames count: Int) async throws {
        let end = heard.count + count
        while heard.count < end, try await step() {}
    }

    /// Listens until `count` frames were no silence; at most until 20 s were recorded.
    mutating func hear(soundingFrames count: Int) async throws {
        let end = sounding + count
        while sounding < end {
            try #require(heard.count < 20 * format.sampleRate, "\(sounding) of \(end) frames in \(span)")
            guard try await step() else { return }
        }
    }

    /// From the first frame that was no silence to the last.
    private var span: Int { (heard.lastIndex { $0 != 0 } ?? 0) + 1 - (heard.firstIndex { $0 != 0 } ?? 0) }

    private mutating func step() async throws -> Bool {
        guard let piece = try await iterator.next(isolation: #isolation) else { return false }
        if let position, position != piece.position { gaps += 1 }
        position = piece.position + piece.buffer.frameCount
        for index in stride(from: 0, to: piece.buffer.samples.count, by: format.channels) {
            let sample = piece.buffer.samples[index]
            heard.append(sample)
            if sample != 0 { sounding += 1 }
        }
        return true
    }
}
