// SPDX-License-Identifier: MIT
internal import AudioDSP
internal import CSpeexDSP

/// SpeexDSP's echo canceller: a multidelay block frequency-domain filter that adapts its own rate (J.-M. Valin, "On
/// adjusting the learning rate in frequency domain echo cancellation with double-talk", 2007).
///
/// The far end is read at fractional frames along the microphone's clock, so a drift between the devices never makes
/// the filter's echo path jump. Once nothing plays and the echo has died away, the filter is kept unchanged.
public final class SpeexEchoCanceller: EchoCanceller {
    /// The rate of both ends; one channel.
    public let format: AudioFormat
    /// The number of frames that it processes at once.
    public let blockFrames: Int
    /// The canceller's performance, updated by `cancel`.
    public private(set) var report = EchoReport()

    let state: OpaquePointer
    /// True to let the filter rest; tests compare both.
    var mayRest = true
    private var rest: EchoRest
    /// The number of frames after the loudspeaker's last frame until the filter rests.
    private let restFrames: Double
    private let leadFrames: Double
    private var timeline: FarEndTimeline
    private var nearClock: StreamClock
    private var meter = EchoMeter()
    private var cutter: BlockCutter
    /// The position on the far end's timeline where the next block begins; nil before both clocks are known.
    private var place: Double?
    /// Frames of the far end that are read for each frame of the near end.
    private var pace = 1.0
    private var isGliding = false
    private let epoch = ContinuousClock.now
    private var far: [Float]

    /// The largest error of the position on the timeline before it jumps instead of gliding, in seconds.
    private static let farthestGlide = 0.004
    /// The largest error before it glides, in seconds. The filter learns any constant distance; it cannot follow a
    /// distance that changes with every new estimate of the clocks.
    private static let nearestGlide = 0.002
    /// The number of standard errors by which another pace must be better to be taken.
    private static let sureness = 2.5
    /// The time in seconds in which a smaller error shrinks to a third.
    private static let glideSeconds = 1.0

    /// Makes a canceller for one channel at `rate`.
    ///
    /// `tail` is the duration of the room's echo, 10 ms to 1 s; longer costs more and learns more slowly. `block` is
    /// the length that it processes at once. `lead` is the largest error by which the devices' instants may put the far
    /// end too late: it is taken off the tail. Throws `formatNotSupported` for values out of range.
    public init(
        rate: Int, tail: Duration = .milliseconds(200), block: Duration = .milliseconds(10),
        lead: Duration = .milliseconds(5)
    ) throws(AudioError) {
        let format = AudioFormat(sampleRate: rate)
        let frames = format.isPlausible ? format.frames(in: block) : 0
        guard (8_000...96_000).contains(rate), (.milliseconds(10)...(.seconds(1))).contains(tail), frames >= 32,
            block <= .milliseconds(64), lead >= .zero, lead < tail,
            let state = speex_echo_state_init(Int32(frames), Int32(format.frames(in: tail)))
        else {
            throw AudioError(
                .formatNotSupported,
                "No echo canceller for \(rate) Hz with a tail of \(tail) and blocks of \(block): use 8 to 96 kHz, a"
                    + " tail of 10 ms to 1 s and blocks of 10 or 20 ms.")
        }
        var speexRate = Int32(rate)
        speex_echo_ctl(state, SPEEX_ECHO_SET_SAMPLING_RATE, &speexRate)
        self.state = state
        self.format = format
        blockFrames = frames
        leadFrames = Double(format.frames(in: lead))
        rest = EchoRest(rate: rate)
        restFrames = Double(format.frames(in: tail)) + EchoRest.margin * Double(rate)
        timeline = FarEndTimeline(rate: rate, limit: rate * 60)
        nearClock = StreamClock(rate: rate)
        cutter = BlockCutter(blockFrames: frames)
        far = [Float](repeating: 0, count: frames)
    }

    deinit { speex_echo_state_destroy(state) }

    /// Passes the loudspeaker's sound; see `EchoCanceller.playing`. Sound more than a minute ahead is dropped. Throws
    /// `formatNotSupported` for another rate.
    public func playing(_ piece: AudioBuffer, audibleAt instant: ContinuousClock.Instant) throws(AudioError) {
        try check(piece)
        timeline.append(piece.mixedToMono().samples, instant: seconds(instant))
    }

    /// Discards the sound that would have been heard after `instant`.
    public func flushed(at instant: ContinuousClock.Instant) { timeline.discard(after: seconds(instant)) }

    /// The near end without its echo; see `EchoCanceller.cancel`. Throws `formatNotSupported` for another rate.
    public func cancel(_ piece: CapturedBuffer) throws(AudioError) -> CapturedBuffer? {
        try check(piece.buffer)
        let frames = piece.buffer.frameCount
        guard frames > 0 else { return nil }
        // `capturedAt` is the instant of the last frame.
        let jump = nearClock.observe(position: piece.position + frames - 1, instant: seconds(piece.capturedAt))
        if jump != nil { place = nil }
        let output = cutter.process(piece, format: format) { block, position in
            cancelBlock(block, at: position)
        }
        report.enhancement = meter.enhancement
        if let enhancement = meter.enhancement, enhancement >= 10 { report.hasConverged = true }
        report.drift = timeline.clock.hasStarted ? (timeline.clock.drift - nearClock.drift) * 1e6 : 0
        report.lateFrames = timeline.lateFrames
        return output
    }

    private func cancelBlock(_ near: [Float], at position: Int) -> [Float] {
        readFarEnd(at: position)
        let plain = rest.process(near)
        if isResting { return plain }
        let recorded = near.map(SampleConversion.int16)
        let played = far.map(SampleConversion.int16)
        var output = [Int16](repeating: 0, count: blockFrames)
        speex_echo_cancellation(state, recorded, played, &output)
        let cleaned = output.map { Float($0) * (1 / 32768) }
        meter.add(
            far: Self.power(far), near: Self.power(near), output: Self.power(cleaned),
            seconds: Double(blockFrames) / nearClock.rate)
        return cleaned
    }

    /// True if no far end is in the air or announced: the filter starts before the first echo arrives.
    private var isResting: Bool {
        mayRest && (place.map { timeline.isOver(at: $0 - restFrames) } ?? !timeline.clock.hasStarted)
    }

    /// Reads the far end that is in the air while the block at `position` is captured.
    private func readFarEnd(at position: Int) {
        guard timeline.clock.hasStarted else { return }
        let count = Double(blockFrames)
        func target(_ frame: Double) -> Double {
            timeline.clock.frame(at: nearClock.instant(of: frame)) + leadFrames
        }
        let wanted = target(Double(position))
        // The length of a frame after both clocks' drift.
        let measured = (target(Double(position) + count) - wanted) / count
        let doubt =
            (nearClock.driftError * nearClock.driftError
            + timeline.clock.driftError * timeline.clock.driftError).squareRoot()
        if place == nil || abs(measured - pace) > Self.sureness * doubt { pace = measured }
        var start = place ?? wanted
        let off = (wanted - start) / nearClock.rate
        if abs(off) > Self.farthestGlide { start = wanted }
        isGliding = start != wanted && abs(off) > (isGliding ? Self.nearestGlide / 4 : Self.nearestGlide)
        // Spread over seconds, so that the echo path does not jump under the filter.
        let correction = isGliding ? (wanted - start) * min(1, count / (nearClock.rate * Self.glideSeconds)) : 0
        timeline.read(from: start, step: pace + correction / count, into: &far)
        place = start + pace * count + correction
    }

    private func check(_ buffer: AudioBuffer) throws(AudioError) {
        guard buffer.format.sampleRate == format.sampleRate, buffer.format.channels > 0 else {
            throw AudioError(
                .formatNotSupported,
                "The echo canceller runs at \(format.sampleRate) Hz and cannot take \(buffer.format). Convert it first."
            )
        }
    }

    private func seconds(_ instant: ContinuousClock.Instant) -> Double {
        let (seconds, attoseconds) = (instant - epoch).components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }

    private static func power(_ samples: [Float]) -> Double {
        var sum: Float = 0
        for sample in samples { sum += sample * sample }
        return sum.isFinite ? Double(sum) / Double(max(1, samples.count)) : 0
    }
}
