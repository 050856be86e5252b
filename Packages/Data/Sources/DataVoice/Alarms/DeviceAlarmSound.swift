// SPDX-License-Identifier: MIT

public import AudioKitLinux
import DataLayer
public import Diagnostics
import Domain
import Glibc

/// Rings on a device, which is opened for each ringing.
public struct DeviceAlarmSound: Sendable {
    private let device: AudioDevice
    private let ownSound: OwnSound?
    private let logger: Logger

    /// Makes a sound.
    ///
    /// - Parameter ownSound: Tells a listener in the same room about the played sound.
    public init(device: AudioDevice, ownSound: OwnSound? = nil, logger: Logger = .disabled) {
        self.device = device
        self.ownSound = ownSound
        self.logger = logger
    }

    /// Rings until the task is cancelled, which silences the device within a period.
    ///
    /// - Throws: `DomainError.device(_:)`, `DomainError.file(_:)`, `CancellationError`.
    public func ring() async throws {
        try await domainErrors {
            let playback = try await AudioPlayback.start(device: device, logger: logger)
            ownSound?.began(playback)
            defer { ownSound?.ended(playback) }
            let tone = Self.tone(playback.format)
            do {
                while true { try await playback.play(tone) }
            } catch {
                await playback.flush()
                await playback.stop()
                throw error
            }
        }
    }

    /// 1.2 seconds: two pairs of notes, a tenth of a second each, and a pause; −12 dBFS, so that it is louder than an
    /// earcon.
    static func tone(_ format: AudioFormat) -> AudioBuffer {
        let notes: [Double?] = [1046.5, 1318.51, nil, 1046.5, 1318.51, nil, nil, nil, nil, nil, nil, nil]
        let samples = notes.flatMap { note($0, format) }
        return AudioBuffer(samples: samples, format: format)
    }

    private static func note(_ frequency: Double?, _ format: AudioFormat) -> [Float] {
        guard let frequency else {
            return [Float](repeating: 0, count: format.sampleRate / 10 * format.channels)
        }
        return EarconNote.samples(frequency, level: 0.25, format)
    }
}
