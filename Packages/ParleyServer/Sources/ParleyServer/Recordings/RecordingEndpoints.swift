// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import HTTPServer
import Networking
import PracticeWire

/// An account's recordings: listed, downloaded, deleted.
struct RecordingEndpoints: Sendable {
    private static let pageLimits = 1...200
    private static let pieceSize = 64 << 10

    let store: RecordingStore
    let folder: SoundFolder
    let disk: DiskQueue
    let sounds: SoundRemoval
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
        try await sounds.remove(id, of: member.account)
        deleted(id)
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
        let file = try await disk.run { [folder] in try folder.open(recording.id, of: member.account) }
        switch range {
        case .unsatisfiable:
            throw ServerProblem(
                status: 416, detail: "The recording has \(recording.byteCount) bytes.",
                headers: ["Content-Range": "bytes */\(recording.byteCount)"])
        case .all:
            return stream(file, 0...(recording.byteCount - 1), status: 200, headers)
        case .part(let part):
            headers["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound)/\(recording.byteCount)"
            return stream(file, part, status: 206, headers)
        }
    }

    private func stream(
        _ file: SoundFile, _ range: ClosedRange<Int>, status: Int, _ headers: HTTPHeaders
    ) -> ServerResponse {
        .stream(status: status, headers: headers, length: range.count) { [disk] writer in
            var offset = range.lowerBound
            while offset <= range.upperBound {
                let (place, count) = (offset, min(Self.pieceSize, range.upperBound - offset + 1))
                let piece = try await disk.run { try file.read(at: place, maximum: count) }
                guard !piece.isEmpty else { throw SoundIsShorter() }
                try await writer.write(piece)
                offset += piece.count
            }
        }
    }
}

/// A file with fewer bytes than the database states: a damaged disk, or an incomplete backup.
struct SoundIsShorter: Error, CustomStringConvertible {
    var description: String { "a recording's file is shorter than it was. Restore it from a backup" }
}
