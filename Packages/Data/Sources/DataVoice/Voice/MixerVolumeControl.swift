// SPDX-License-Identifier: MIT

public import AudioKitLinux
import Concurrency
import DataLayer
public import Domain

/// The volume of a sound device, by its ALSA mixer.
public struct MixerVolumeControl: VolumeControl {
    private let mixer: OutputMixer

    /// - Parameter device: The device that answers are spoken with.
    public init(_ device: AudioDevice) { mixer = OutputMixer(device) }

    /// See `VolumeControl`.
    public func volume() async throws -> LoudspeakerVolume {
        LoudspeakerVolume(try await domainErrors { try await BlockingCall.run { [mixer] in try mixer.volume() } })
    }

    /// See `VolumeControl`.
    public func set(_ volume: LoudspeakerVolume) async throws -> LoudspeakerVolume {
        LoudspeakerVolume(
            try await domainErrors {
                try await BlockingCall.run { [mixer] in
                    try mixer.change { $0 = OutputVolume(percent: volume.percent, isMuted: volume.isMuted) }
                }
            })
    }
}

extension LoudspeakerVolume {
    fileprivate init(_ volume: OutputVolume) { self.init(percent: volume.percent, isMuted: volume.isMuted) }
}
