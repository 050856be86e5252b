// SPDX-License-Identifier: MIT

/// The microphone's path to the recogniser: echo canceller → noise suppressor → gain control, in this order.
///
/// The canceller is first because it needs the microphone's sound as the room made it; the gain is last because it must
/// not raise the noise that the suppressor removes. Any stage may be left out. Values in, values out; not for use from
/// two threads at once.
public final class VoiceProcessor {
    /// One stage of the path.
    public enum Stage: String, Sendable, Hashable, CaseIterable {
        /// Removes the loudspeaker's sound.
        case echoCanceller
        /// Removes steady noise.
        case noiseSuppressor
        /// Brings speech to an even level.
        case gainControl
    }

    /// The canceller, for its report.
    public let canceller: (any EchoCanceller)?
    private let suppressor: (any NoiseSuppressor)?
    private let gainControl: (any GainControl)?
    private let blockFrames: Int

    /// Composes the given stages. All of them must have one rate: throws `formatNotSupported` otherwise.
    public init(
        canceller: (any EchoCanceller)? = nil, suppressor: (any NoiseSuppressor)? = nil,
        gainControl: (any GainControl)? = nil
    ) throws(AudioError) {
        let rates = [canceller?.format, suppressor?.format, gainControl?.format].compactMap { $0?.sampleRate }
        guard Set(rates).count <= 1 else {
            throw AudioError(.formatNotSupported, "The stages of a voice processor run at different rates: \(rates).")
        }
        self.canceller = canceller
        self.suppressor = suppressor
        self.gainControl = gainControl
        // A suppressor with its canceller asks it about the block just processed.
        blockFrames = suppressor == nil ? .max : canceller?.blockFrames ?? suppressor?.blockFrames ?? .max
    }

    /// All three stages by SpeexDSP, for one channel at `rate`; the suppressor also removes the canceller's residual
    /// echo. Throws `formatNotSupported` for a rate outside 8…96 kHz.
    public static func speex(rate: Int = 16_000, tail: Duration = .milliseconds(200)) throws(AudioError)
        -> VoiceProcessor
    {
        let canceller = try SpeexEchoCanceller(rate: rate, tail: tail)
        return try VoiceProcessor(
            canceller: canceller, suppressor: SpeexNoiseSuppressor(rate: rate, after: canceller),
            gainControl: SpeexGainControl(rate: rate))
    }

    /// The stages in the order in which sound passes them.
    public var stages: [Stage] {
        (canceller == nil ? [] : [.echoCanceller]) + (suppressor == nil ? [] : [.noiseSuppressor])
            + (gainControl == nil ? [] : [.gainControl])
    }

    /// The number of frames by which sound in the output is later than in the input.
    public var latencyFrames: Int { (suppressor?.latencyFrames ?? 0) + (gainControl?.latencyFrames ?? 0) }

    /// Passes the loudspeaker's sound to the canceller; see `EchoCanceller.playing`.
    public func playing(_ piece: AudioBuffer, audibleAt instant: ContinuousClock.Instant) throws(AudioError) {
        try canceller?.playing(piece, audibleAt: instant)
    }

    /// Tells the canceller that playback was flushed; see `EchoCanceller.flushed`.
    public func flushed(at instant: ContinuousClock.Instant) { canceller?.flushed(at: instant) }

    /// The microphone's sound after all stages; nil without a whole block. Positions and instants are those of the
    /// sound itself, whatever the stages' latency. Throws `formatNotSupported` for another rate.
    public func process(_ piece: CapturedBuffer) throws(AudioError) -> CapturedBuffer? {
        var result: CapturedBuffer?
        for part in Self.parts(of: piece, frames: blockFrames) {
            guard let output = try pass(part) else { continue }
            result = result.map { Self.joined($0, output) } ?? output
        }
        return result
    }

    private func pass(_ piece: CapturedBuffer) throws(AudioError) -> CapturedBuffer? {
        var current: CapturedBuffer? = piece
        if let canceller, let input = current { current = try canceller.cancel(input) }
        if let suppressor, let input = current { current = try suppressor.suppress(input) }
        if let gainControl, let input = current { current = try gainControl.level(input) }
        return current
    }

    private static func parts(of piece: CapturedBuffer, frames: Int) -> [CapturedBuffer] {
        let count = piece.buffer.frameCount
        guard count > frames else { return [piece] }
        return stride(from: 0, to: count, by: frames).map { start in
            let end = min(count, start + frames)
            return CapturedBuffer(
                buffer: piece.buffer.frames(start..<end), position: piece.position + start,
                capturedAt: piece.capturedAt - piece.buffer.format.duration(ofFrames: count - end))
        }
    }

    private static func joined(_ first: CapturedBuffer, _ second: CapturedBuffer) -> CapturedBuffer {
        CapturedBuffer(
            buffer: AudioBuffer(samples: first.buffer.samples + second.buffer.samples, format: second.buffer.format),
            position: second.position - first.buffer.frameCount, capturedAt: second.capturedAt)
    }
}
