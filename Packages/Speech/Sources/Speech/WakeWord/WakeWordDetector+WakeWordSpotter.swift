// SPDX-License-Identifier: MIT

public import AudioKitLinux
public import SpeechEngines

extension WakeWordDetector: WakeWordSpotter {
    /// 16 kHz mono.
    public nonisolated var format: AudioFormat { .speech }

    /// See `WakeWordSpotter`; the same as ``process(_:at:)``.
    public func spot(_ sound: AudioBuffer, at position: Int) throws -> [WakeWordSighting] {
        try process(sound, at: position).map { WakeWordSighting(range: $0.range, score: $0.score) }
    }
}
