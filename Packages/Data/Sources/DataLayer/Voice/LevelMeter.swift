// SPDX-License-Identifier: MIT

import AudioKitLinux

/// The level of each tenth of a second.
struct LevelMeter {
    private var gathered = AudioBuffer(samples: [], format: .speech)

    /// The level in dBFS (RMS) when another tenth of a second is over with `buffer`.
    mutating func level(after buffer: AudioBuffer) -> Double? {
        gathered.samples += buffer.samples
        guard gathered.duration >= .milliseconds(100) else { return nil }
        defer { gathered.samples.removeAll(keepingCapacity: true) }
        return Double(AudioLevel(of: gathered).rms)
    }
}
