// SPDX-License-Identifier: MIT

public import Domain

/// What takes what is sent. Each call may be repeated after it has succeeded, and then changes nothing.
///
/// All methods throw `DomainError` or `CancellationError`.
public protocol SyncReceiver: Sendable {
    /// Takes a result.
    func send(_ result: PracticeResult) async throws

    /// Takes a recording.
    ///
    /// - Parameter report: Is told how many bytes are there.
    func upload(
        _ recording: Recording, content: any RecordingContent, report: @Sendable (Int) async -> Void
    ) async throws

    /// Deletes a recording; one that is not there is no error.
    func delete(_ recording: Identifier<Recording>) async throws

    /// Deletes a result; one that is not there is no error.
    func delete(_ result: Identifier<PracticeResult>) async throws
}

/// The server as the receiver.
public struct RemoteSyncReceiver: SyncReceiver {
    private let results: RemotePracticeRepository
    private let recordings: RemoteRecordingRepository

    /// The server's two repositories as one receiver.
    public init(results: RemotePracticeRepository, recordings: RemoteRecordingRepository) {
        self.results = results
        self.recordings = recordings
    }

    /// See ``SyncReceiver``.
    public func send(_ result: PracticeResult) async throws { try await results.store([result]) }

    /// See ``SyncReceiver``.
    public func upload(
        _ recording: Recording, content: any RecordingContent, report: @Sendable (Int) async -> Void
    ) async throws {
        try await recordings.upload(recording, content: content, report: report)
    }

    /// See ``SyncReceiver``.
    public func delete(_ recording: Identifier<Recording>) async throws { _ = try await recordings.delete(recording) }

    /// See ``SyncReceiver``.
    public func delete(_ result: Identifier<PracticeResult>) async throws { _ = try await results.delete(result) }
}
