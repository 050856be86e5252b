// SPDX-License-Identifier: MIT

import AudioKitLinux

/// Computes the time for which a recording can continue with the free space. Pure.
struct RecordingSpace {
    /// The shortest recording that is worth beginning.
    static let shortest = Duration.seconds(10)
    /// The length from which the recording's own size gives its rate.
    private static let measuredFrom = Duration.seconds(5)

    /// The bytes that stay free for everything else.
    let reserve: Int
    /// The most bytes of a second, before the rate is measured.
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

    /// The time for which it can continue, with so many bytes available after such a time.
    func remaining(_ available: Int, after duration: Duration, fileByteCount: Int) -> Duration {
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
        let rate =
            duration >= Self.measuredFrom ? Double(fileByteCount) / seconds : Double(expectedBytesPerSecond)
        return .milliseconds(Int(Double(max(0, available - reserve)) / max(1, rate) * 1_000))
    }
}
