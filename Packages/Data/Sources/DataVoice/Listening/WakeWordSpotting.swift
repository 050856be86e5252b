// SPDX-License-Identifier: MIT

import AudioKitLinux
import Speech

/// A wake word's detector, as an ear uses it: `WakeWordDetector`, or one whose failures a test chooses.
protocol WakeWordSpotting: Actor {
    /// See `WakeWordDetector`.
    func process(_ samples: AudioBuffer, at position: Int) async throws(SpeechError) -> [WakeWordDetector.Detection]

    /// See `WakeWordDetector`.
    func setPlaying(_ isPlaying: Bool) async

    /// See `WakeWordDetector`.
    func reset() async
}

extension WakeWordDetector: WakeWordSpotting {}
