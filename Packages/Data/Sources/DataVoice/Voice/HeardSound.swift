// SPDX-License-Identifier: MIT

import AudioKitLinux

/// The last seconds of a microphone's sound with what a detector of speech said of them, so that one can look again at
/// what was heard before it was known to matter.
struct HeardSound {
    /// Samples in the frames that a detector tells of.
    static let frameLength = 160

    private var buffers: [CapturedBuffer] = []
    /// What the detector said of each frame since `firstFrame`.
    private var probabilities: [Float] = []
    private var firstFrame = 0
    /// The position at which the detector began.
    private(set) var origin = 0
    /// How far it reaches back, in samples.
    private let reach: Int

    /// Nothing heard yet; `reach` in samples.
    init(reach: Int) { self.reach = reach }

    /// The position after the last sample; nil before the first one.
    var end: Int? { buffers.last.map { $0.position + $0.buffer.frameCount } }

    /// Takes further sound.
    mutating func append(_ captured: CapturedBuffer) {
        if buffers.isEmpty { origin = captured.position }
        buffers.append(captured)
        let oldest = captured.position - reach
        if let keep = buffers.firstIndex(where: { $0.position + $0.buffer.frameCount > oldest }), keep > 0 {
            buffers.removeFirst(keep)
        }
    }

    /// Takes what the detector says of the next frames.
    mutating func append(_ next: [Float]) {
        probabilities += next
        let excess = probabilities.count - reach / Self.frameLength
        // In larger steps, since each one moves what is left.
        guard excess > 64 else { return }
        probabilities.removeFirst(excess)
        firstFrame += excess
    }

    /// Forgets everything: the detector begins anew with the next sound.
    mutating func clear() {
        buffers = []
        probabilities = []
        firstFrame = 0
    }

    /// The sound from `position` on, as far back as it reaches.
    func sound(from position: Int) -> [AudioBuffer] {
        buffers.compactMap { captured in
            let first = max(0, position - captured.position)
            guard first < captured.buffer.frameCount else { return nil }
            return first == 0 ? captured.buffer : captured.buffer.frames(first..<captured.buffer.frameCount)
        }
    }

    /// What the detector said from `position` on, and the position at which the first of these frames begins.
    func probabilities(from position: Int) -> (start: Int, values: ArraySlice<Float>) {
        let wanted = (position - origin + Self.frameLength - 1) / Self.frameLength
        let frame = min(max(wanted, firstFrame), firstFrame + probabilities.count)
        return (origin + frame * Self.frameLength, probabilities[(frame - firstFrame)...])
    }

    /// When the sample at `position` was at the microphone.
    func instant(of position: Int) -> ContinuousClock.Instant {
        guard let latest = buffers.last, let end else { return .now }
        return latest.capturedAt - AudioFormat.speech.duration(ofFrames: max(0, end - position))
    }
}
