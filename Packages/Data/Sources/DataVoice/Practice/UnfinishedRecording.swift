// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
import Digests
public import Domain
public import FoundationEssentials
import SealedRecordings

/// What was recorded by a program that ended before anybody could keep it: killed, or without power. No account has it.
public struct UnfinishedRecording: Identifiable, Hashable, Sendable {
    /// The recording's name.
    public let id: Identifier<Recording>
    /// What was to be said; `nil` when the file does not say it.
    public let cue: Identifier<Cue>?
    /// When recording began.
    public let createdAt: Date
    /// How long it is, in seconds, as far as it came to the disk.
    public let duration: Double
    /// The encoding.
    public let format: Recording.Format
    /// Samples a second.
    public let sampleRate: Int
    /// How long the encoded sound is.
    public let byteCount: Int
}

extension SealedRecordingRepository {
    /// What crashes left, the newest first. What some program records or shows at the moment is not among it, nor files with no
    /// sound in them or that this key does not open.
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

    /// Keeps what a crash left, as if it had been kept then: it has a row from now on, and waits to be sent if there is a queue.
    ///
    /// - Throws: `DomainError.notFound`, `.invalidInput` when the file does not say what was to be said.
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

    /// Removes what a crash left; whether it was there. What some program records at the moment is not.
    public func deleteUnfinished(_ id: Identifier<Recording>) async throws -> Bool {
        guard try await abandoned().contains(id) else { return false }
        try await folder().remove(id)
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
