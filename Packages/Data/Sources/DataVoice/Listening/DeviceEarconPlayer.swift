// SPDX-License-Identifier: MIT

public import AudioKitLinux
import DataLayer
public import Diagnostics
public import Domain

/// Plays earcons on a device, which is opened for each one.
public struct DeviceEarconPlayer: EarconPlayer {
    private let device: AudioDevice
    private let ownSound: OwnSound?
    private let logger: Logger

    /// Makes a player.
    ///
    /// - Parameter ownSound: Tells a listener in the same room about the played sound.
    public init(device: AudioDevice, ownSound: OwnSound? = nil, logger: Logger = .disabled) {
        self.device = device
        self.ownSound = ownSound
        self.logger = logger
    }

    /// See `EarconPlayer`.
    public func play(_ earcon: VoiceLoop.Earcon) async throws {
        try await domainErrors {
            let playback = try await AudioPlayback.start(device: device, logger: logger)
            ownSound?.began(playback)
            defer { ownSound?.ended(playback) }
            do {
                try await playback.play(earcon.sound(playback.format))
                try await playback.drain()
            } catch {
                await playback.flush()
                await playback.stop()
                throw error
            }
            await playback.stop()
        }
    }
}
