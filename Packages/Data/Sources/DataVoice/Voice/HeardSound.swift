// SPDX-License-Identifier: MIT

import AudioKitLinux

/// The last seconds of a microphone's sound with a detector's speech probabilities, so that earlier sound can be
/// examined again.
struct HeardSound {
    /// The number of samples in a frame of the detector.
    static let frameLength = 160

    private var buffers: [CapturedBuffer] = []
    /// The speech probability of each frame since `firstFrame`.
    private var probabilities: [Float] = []
    private var firstFrame = 0
    /// The position at which the detector began.
    private(set) var origin = 0
    /// The length of the kept sound, in samples.
    private let reach: Int

    /// Starts without sound; `reach` in samples.
    init(reach: Int) { self.reach = reach }

    /// The position after the last sample; nil before the first one.
    var end: Int? { buffers.last.map { $0.position + $0.buffer.frameCount } }

    /// Appends sound.
    mutating func append(_ captured: CapturedBuffer) {
        if buffers.isEmpty { origin = captured.position }
        buffers.append(captured)
        let oldest = captured.position - reach
        if let keep = buffers.firstIndex(where: { $0.position + $0.buffer.frameCount > oldest }), keep > 0 {
            buffers.removeFirst(keep)
        }
    }

    /// Appends the probabilities of the next frames.
    mutating func append(_ next: [Float]) {
        probabilities += next
        let excess = probabilities.count - reach / Self.frameLength
        // In larger steps, since each removal moves the rest.
        guard excess > 64 else { return }
        probabilities.removeFirst(excess)
        firstFrame += excess
    }

    /// Removes everything: the detector begins anew with the next sound.
    mutating func clear() {
        buffers = []
        probabilities = []
        firstFrame = 0
    }

    /// The sound from `position` on, as far as it is kept.
    func sound(from position: Int) -> [AudioBuffer] {
        buffers.compactMap { captured in
            let first = max(0, position - captured.position)
            guard first < captured.buffer.frameCount else { return nil }
            return first == 0 ? captured.buffer : captured.buffer.frames(first..<captured.buffer.frameCount)
        }
    }

    /// The speech probabilities from `position` on, and the position at which the first of these frames begins.
    func probabilities(from position: Int) -> (start: Int, values: ArraySlice<Float>) {
        let wanted = (position - origin + Self.frameLength - 1) / Self.frameLength
        let frame = min(max(wanted, firstFrame), firstFrame + probabilities.count)
        return (origin + frame * Self.frameLength, probabilities[(frame - firstFrame)...])
    }

    /// The time at which the sample at `position` was at the microphone.
    func instant(of position: Int) -> ContinuousClock.Instant {
        guard let latest = buffers.last, let end else { return .now }
        return latest.capturedAt - AudioFormat.speech.duration(ofFrames: max(0, end - position))
    }
}
