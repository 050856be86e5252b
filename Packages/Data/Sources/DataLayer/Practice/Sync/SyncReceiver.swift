// SPDX-License-Identifier: MIT

public import Domain

/// The receiver of sent items. Each call may be repeated after it has succeeded, and then changes nothing.
///
/// All methods throw `DomainError` or `CancellationError`.
public protocol SyncReceiver: Sendable {
    /// Takes a result.
    func send(_ result: PracticeResult) async throws

    /// Takes a recording.
    ///
    /// - Parameter report: Called with the number of bytes that the receiver has.
    func upload(
        _ recording: Recording, content: any RecordingContent, report: @Sendable (Int) async -> Void
    ) async throws

    /// Deletes a recording; a missing one is no error.
    func delete(_ recording: Identifier<Recording>) async throws

    /// Deletes a result; a missing one is no error.
    func delete(_ result: Identifier<PracticeResult>) async throws
}

/// The server as the receiver.
public struct RemoteSyncReceiver: SyncReceiver {
    private let results: RemotePracticeRepository
    private let recordings: RemoteRecordingRepository

    /// Makes one receiver of the server's two repositories.
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

/// The route of one kind of item from this device to the server. Sending the same item twice changes nothing there.
public struct SyncRoute: Sendable {
    /// The queue, the gate and the report of a delivery.
    struct Delivery: Sendable {
        let queue: OutboxSyncQueue
        let gate: UploadGate
        let report: @Sendable (SyncReport) async -> Void
    }

    let kind: SyncItem.Kind
    /// Sends the item with an id, if it still exists.
    let send: @Sendable (Identifier<SyncItem.Work>, Delivery) async throws -> Void
    /// Deletes an item; a missing one is no error.
    let delete: @Sendable (Identifier<SyncItem.Work>) async throws -> Void

    init(
        _ kind: SyncItem.Kind,
        send: @escaping @Sendable (Identifier<SyncItem.Work>, Delivery) async throws -> Void,
        delete: @escaping @Sendable (Identifier<SyncItem.Work>) async throws -> Void
    ) {
        (self.kind, self.send, self.delete) = (kind, send, delete)
    }

    /// The route of results. A result that was deleted here before it was sent is not sent.
    public static func results(_ results: any PracticeRepository, to receiver: any SyncReceiver) -> SyncRoute {
        SyncRoute(.result) { id, delivery in
            guard let result = try await results.result(.init(id.uuid)) else { return }
            try await delivery.gate.permission().check()
            try await receiver.send(result)
        } delete: { id in
            try await receiver.delete(Identifier<PracticeResult>(id.uuid))
        }
    }

    /// The route of recordings. Their uploads are cancelled when the permission ends.
    public static func recordings(_ recordings: any RecordingRepository, to receiver: any SyncReceiver) -> SyncRoute {
        SyncRoute(.recording) { id, delivery in
            let id = Identifier<Recording>(id.uuid)
            guard let recording = try await recordings.recording(id) else { return }
            let content = try await recordings.content(of: id)
            try await delivery.gate.whileAllowed {
                try await receiver.upload(recording, content: content) { sent in
                    await delivery.report(.uploading(id, sent, of: recording.byteCount))
                }
            }
            try await delivery.queue.noteSent(id)
        } delete: { id in
            try await receiver.delete(Identifier<Recording>(id.uuid))
        }
    }
}
