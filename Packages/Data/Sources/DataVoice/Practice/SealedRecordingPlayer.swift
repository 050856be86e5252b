// SPDX-License-Identifier: MIT

public import AudioKitLinux
import DataLayer
public import Domain
import SealedRecordings

/// Plays recordings in sealed files on a device.
public struct SealedRecordingPlayer: RecordingPlayer {
    private let device: AudioDevice
    private let folder: SealedRecordingFolder

    /// Makes a player.
    public init(device: AudioDevice, folder: SealedRecordingFolder) {
        self.device = device
        self.folder = folder
    }

    /// See `RecordingPlayer`.
    public func play(_ recording: Recording, report: @escaping @Sendable (Double) async -> Void) async throws {
        try await play(recording.id, report: report)
    }

    /// Plays a recording's file, kept or not.
    public func play(
        _ id: Identifier<Recording>, report: @escaping @Sendable (Double) async -> Void
    ) async throws {
        let reader = try await folder.open(id)
        try await domainErrors {
            _ = try await SoundPlayer(device: device).play(reader) { await report($0.heard / .seconds(1)) }
        }
    }
}
