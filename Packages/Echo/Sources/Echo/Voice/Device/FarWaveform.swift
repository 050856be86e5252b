// SPDX-License-Identifier: MIT

/// The loudspeaker's recent and next sound. Finds it in the microphone's sound when the instants are unreliable: a gap
/// in a sound server moves the echo, and the canceller has to learn it anew.
struct FarWaveform {
    /// A third of the rate is enough to recognise a voice.
    private static let step = 3
    /// The loudspeaker's sound that is kept: 1.2 s.
    private static let frames = 9_600
    /// The microphone's sound that is searched for: 60 ms.
    private static let recent = 480
    /// The correlation above which two sounds are the same.
    private static let likeness: Float = 0.5

    private var far: [Float] = []
    private var near: [Float] = []

    /// Adds sound that will be played.
    mutating func add(played: [Float]) { Self.append(played, to: &far, Self.frames) }

    /// Adds sound from the microphone.
    mutating func add(captured: [Float]) { Self.append(captured, to: &near, Self.recent) }

    /// True if the microphone's last 60 ms sound like anything that was played.
    var isEcho: Bool {
        guard near.count == Self.recent, far.count >= Self.recent else { return false }
        let energy = near.reduce(0) { $0 + $1 * $1 }
        var window = far.prefix(Self.recent).reduce(0) { $0 + $1 * $1 }
        return near.withUnsafeBufferPointer { near in
            far.withUnsafeBufferPointer { far in
                for start in 0...far.count - Self.recent {
                    if start > 0 {
                        let (left, entered) = (far[start - 1], far[start + Self.recent - 1])
                        window += entered * entered - left * left
                    }
                    guard window > 1e-4 else { continue }
                    var sum: Float = 0
                    for index in 0..<Self.recent { sum += near[index] * far[start + index] }
                    if sum * sum > Self.likeness * Self.likeness * energy * window { return true }
                }
                return false
            }
        }
    }

    private static func append(_ sound: [Float], to line: inout [Float], _ limit: Int) {
        for first in stride(from: 0, to: sound.count - step + 1, by: step) {
            line.append((sound[first] + sound[first + 1] + sound[first + 2]) / 3)
        }
        if line.count > limit { line.removeFirst(line.count - limit) }
    }
}
