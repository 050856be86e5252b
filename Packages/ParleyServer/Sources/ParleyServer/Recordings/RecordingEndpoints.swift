// SPDX-License-Identifier: MIT

import DataLayer
import Diagnostics
import Domain
import HTTPServer
import Networking
import ObjectStore
import PracticeWire

/// An account's recordings: listed, downloaded, deleted.
struct RecordingEndpoints: Sendable {
    private static let pageLimits = 1...200

    let store: RecordingStore
    let sounds: SoundStore
    let removal: SoundRemoval
    let logger: Logger
    /// Called with each deleted recording.
    let deleted: @Sendable (Identifier<Recording>) -> Void

    func add(to router: inout Router, _ access: AuthenticationMiddleware) {
        let path = "/" + SyncedKind.recording.path
        router.member(.get, path, access, handler: list)
        router.member(.get, path + "/{id}", access) { member, request in
            try .json(RecordingDTO(await found(member, request)))
        }
        router.member(.delete, path + "/{id}", access, handler: delete)
        router.member(.get, path + "/{id}/content", access, handler: content)
    }

    private func list(_ member: Member, _ request: ServerRequest) async throws -> ServerResponse {
        let limit: Int
        do throws(MappingFailure) {
            limit = try request.wireQuery.limit(Self.pageLimits) ?? 50
        } catch {
            throw ServerProblem(error)
        }
        // One more row shows that a next page exists.
        let found = try await store.page(of: member.account, after: cursor(member, request), limit: limit + 1)
        return try .json(RecordingPageDTO(Array(found.prefix(limit)), hasMore: found.count > limit))
    }

    /// The cursor of an earlier page, or the id of an existing recording.
    private func cursor(_ member: Member, _ request: ServerRequest) async throws -> RecordingCursor? {
        guard let text = request.query["after"] else { return nil }
        if let cursor = RecordingCursor(text) { return cursor }
        guard let id = Identifier<Recording>(text), let recording = try await store.recording(id, of: member.account)
        else { throw ServerProblem.badRequest("after is not a valid cursor. Leave it out to start with the newest.") }
        return RecordingCursor(after: recording)
    }

    private func found(_ member: Member, _ request: ServerRequest) async throws -> Recording {
        guard let recording = try await store.recording(request.identifier(), of: member.account) else {
            throw ServerProblem.notFound
        }
        return recording
    }

    private func delete(_ member: Member, _ request: ServerRequest) async throws -> ServerResponse {
        let id: Identifier<Recording> = try request.identifier()
        guard try await store.remove(id, of: member.account) else { throw ServerProblem.notFound }
        deleted(id)
        // The recording is gone for its person; the order to remove its sound outlives a store that does not answer.
        do { try await removal.remove(id, of: member.account) } catch {
            logger.warning("a sound is removed later: \(String(describing: error), privacy: .public)")
        }
        return .noContent
    }

    private func content(_ member: Member, _ request: ServerRequest) async throws -> ServerResponse {
        let recording = try await found(member, request)
        let tag = EntityTag(hash: recording.contentHash)
        var headers: HTTPHeaders = [
            "ETag": tag.text, "Accept-Ranges": "bytes", "Cache-Control": "private, no-cache", "Vary": "Authorization",
            // A browser must not take uploaded content for a page of this server.
            "X-Content-Type-Options": "nosniff", "Content-Disposition": "attachment",
        ]
        guard !tag.isKnown(to: request) else { return ServerResponse(status: 304, headers: headers) }
        let isWhole = request.headers["If-Range"].map { $0 != tag.text } ?? false
        let range = ByteRange(isWhole ? nil : request.headers["Range"], of: recording.byteCount)
        headers["Content-Type"] = recording.format == .flac ? "audio/flac" : "audio/ogg"
        switch range {
        case .unsatisfiable:
            throw ServerProblem(
                status: 416, detail: "The recording has \(recording.byteCount) bytes.",
                headers: ["Content-Range": "bytes */\(recording.byteCount)"])
        case .all:
            return try await stream(recording, of: member, nil, status: 200, headers)
        case .part(let part):
            headers["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound)/\(recording.byteCount)"
            let bytes = part.lowerBound..<(part.upperBound + 1)
            return try await stream(recording, of: member, bytes, status: 206, headers)
        }
    }

    private func stream(
        _ recording: Recording, of member: Member, _ range: Range<Int>?, status: Int, _ headers: HTTPHeaders
    ) async throws -> ServerResponse {
        let sound: StoredObject
        do { sound = try await sounds.open(recording.id, of: member.account, range: range) } catch let error
            as ObjectStoreError
        {
            throw ServerProblem.soundStore(error) ?? error
        }
        let length = range?.count ?? recording.byteCount
        return .stream(status: status, headers: headers, length: length) { writer in
            var rest = length
            for try await piece in sound.chunks {
                rest -= piece.count
                guard rest >= 0 else { throw SoundIsDamaged() }
                try await writer.write(piece)
            }
            if rest > 0 { throw SoundIsDamaged() }
        }
    }
}

extension ServerProblem {
    /// The answer to a client while the store of sound does not work; nil for errors that are the server's fault.
    static func soundStore(_ error: ObjectStoreError) -> ServerProblem? {
        if error.code == .full { return .diskIsFull }
        guard error.isTransient else { return nil }
        return ServerProblem(
            status: 503, detail: "The store of recordings does not answer. Try again.", headers: ["Retry-After": "5"])
    }
}

/// A sound with other bytes than the database states: a damaged disk, or an incomplete backup.
struct SoundIsDamaged: Error, CustomStringConvertible {
    var description: String { "a recording's sound has not the bytes that it had. Restore it from a backup" }
}
