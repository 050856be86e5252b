// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
import Digests
public import Domain
public import FoundationEssentials
import SealedRecordings

/// A recording of a program that ended before the person could keep it: killed, or without power. It belongs to no
/// account.
public struct UnfinishedRecording: Identifiable, Hashable, Sendable {
    /// The recording's id.
    public let id: Identifier<Recording>
    /// The cue; `nil` if the file does not name it.
    public let cue: Identifier<Cue>?
    /// The time at which recording began.
    public let createdAt: Date
    /// The length in seconds, as far as it was written to the disk.
    public let duration: Double
    /// The encoding.
    public let format: Recording.Format
    /// The sample rate in samples a second.
    public let sampleRate: Int
    /// The length of the encoded sound in bytes.
    public let byteCount: Int
}

extension SealedRecordingRepository {
    /// The recordings that crashes left, the newest first; without files that a program records or shows now, files
    /// without sound, and files that this key does not open.
    public func unfinished() async throws -> [UnfinishedRecording] {
        var found: [UnfinishedRecording] = []
        let abandoned = try await abandoned()
        guard !abandoned.isEmpty else { return [] }
        let folder = try await folder()
        for id in abandoned {
            try Task.checkCancellation()
            guard let reader = try? await folder.open(id) else { continue }
            found.append(UnfinishedRecording(id, reader.recording))
        }
        return found.sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
    }

    /// Keeps a recording that a crash left: it has a row from now on, and waits to be sent if there is a queue.
    ///
    /// - Throws: `DomainError.notFound`, `.invalidInput` if the file does not name its cue.
    public func recover(_ id: Identifier<Recording>) async throws -> Recording {
        guard try await abandoned().contains(id) else { throw DomainError.notFound("unfinished recording \(id)") }
        let reader = try await folder().open(id)
        let found = UnfinishedRecording(id, reader.recording)
        guard let cue = found.cue else {
            throw DomainError.invalidInput(
                "This recording does not say which cue it is of, so it cannot be kept with the others. Export or delete it."
            )
        }
        let hash = try await domainErrors { try await reader.digest() }
        let recording = Recording(
            id: id, cue: cue, createdAt: found.createdAt, duration: found.duration, format: found.format,
            sampleRate: found.sampleRate, byteCount: found.byteCount,
            contentHash: Hexadecimal.text(hash))
        try await keep(recording)
        return recording
    }

    /// Deletes a recording that a crash left; true if it existed. A file that a program records now stays.
    public func deleteUnfinished(_ id: Identifier<Recording>) async throws -> Bool {
        guard try await abandoned().contains(id) else { return false }
        try await remove(id)
        return true
    }
}

extension UnfinishedRecording {
    fileprivate init(_ id: Identifier<Recording>, _ sealed: SealedRecording) {
        self.init(
            id: id, cue: sealed.subject.map { Identifier($0) }, createdAt: sealed.startedAt,
            duration: sealed.duration / .seconds(1), format: sealed.encoding == .oggOpus ? .opus : .flac,
            sampleRate: sealed.format.sampleRate, byteCount: sealed.byteCount)
    }
}
