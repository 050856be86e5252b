// SPDX-License-Identifier: MIT

import AudioKitLinux

/// How long a recording can go on with the space that there is. Pure.
struct RecordingSpace {
    /// The shortest recording that is worth beginning.
    static let shortest = Duration.seconds(10)
    /// From here on the recording's own size says how fast it grows.
    private static let measuredFrom = Duration.seconds(5)

    /// What stays free for everything else.
    let reserve: Int
    /// The most that a second takes, before it is measured.
    let expectedBytesPerSecond: Int

    init(encoding: SoundFileEncoding, format: AudioFormat, reserve: Int) {
        self.reserve = reserve
        let samples = format.sampleRate * format.channels
        switch encoding {
        // Noise does not get smaller.
        case .flac16: expectedBytesPerSecond = samples * 2 + RecordingSlot.byteCount
        case .flac24: expectedBytesPerSecond = samples * 3 + RecordingSlot.byteCount
        default: expectedBytesPerSecond = 16_000 * format.channels + RecordingSlot.byteCount
        }
    }

    /// True if a recording may begin.
    func isEnough(_ available: Int) -> Bool {
        available >= reserve + expectedBytesPerSecond * Int(Self.shortest.components.seconds)
    }

    /// True if it has to end.
    func isUsedUp(_ available: Int) -> Bool { available <= reserve }

    /// How much longer it can go on, when it has so many bytes after such a time.
    func remaining(_ available: Int, after duration: Duration, fileByteCount: Int) -> Duration {
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
        let rate =
            duration >= Self.measuredFrom ? Double(fileByteCount) / seconds : Double(expectedBytesPerSecond)
        return .milliseconds(Int(Double(max(0, available - reserve)) / max(1, rate) * 1_000))
    }
}
