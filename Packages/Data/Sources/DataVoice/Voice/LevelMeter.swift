// SPDX-License-Identifier: MIT

import AudioKitLinux

/// The level of each tenth of a second.
struct LevelMeter {
    private static let frames = AudioFormat.speech.frames(in: .milliseconds(100))
    private var gathered = AudioBuffer(samples: [], format: .speech)

    /// The levels in dBFS (RMS) of the tenths of a second that `buffer` completes, in order.
    mutating func levels(after buffer: AudioBuffer) -> [Double] {
        gathered.samples += buffer.samples
        var levels: [Double] = []
        var done = 0
        while gathered.frameCount - done >= Self.frames {
            levels.append(Double(AudioLevel(of: gathered.frames(done..<done + Self.frames)).rms))
            done += Self.frames
        }
        gathered.samples.removeFirst(done)
        return levels
    }
}
