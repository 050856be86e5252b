// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials
import Networking
public import PracticeWire

/// The account's results at the server.
public struct RemotePracticeRepository: PracticeRepository {
    private let server: PracticeServer

    /// Makes the repository of a server.
    public init(_ server: PracticeServer) { self.server = server }

    /// See `PracticeRepository`. More than 200 results are sent in parts, each of which is all or none.
    public func store(_ results: [PracticeResult]) async throws {
        try Task.checkCancellation()
        if results.count == 1, let result = results.first {
            let body = try mapped { () throws(MappingFailure) in try WireJSON.encode(PracticeResultDTO(result)) }
            _ = try await server.bytes(.put, [SyncedKind.result.path, result.id.description], body: body)
            return
        }
        var rest = results[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(PracticeBatchDTO.limit))
            rest = rest.dropFirst(batch.count)
            let body = try mapped { () throws(MappingFailure) in try WireJSON.encode(PracticeBatchDTO(batch)) }
            _ = try await server.bytes(.post, [SyncedKind.result.path], body: body)
        }
    }

    /// See `PracticeRepository`.
    public func result(_ id: Identifier<PracticeResult>) async throws -> PracticeResult? {
        let path = [SyncedKind.result.path, id.description]
        guard let result = try await server.valueIfThere(PracticeResultDTO.self, path) else { return nil }
        return try mapped { () throws(MappingFailure) in try result.result() }
    }

    /// The outcome of fetching a result that may be unreadable.
    enum Answer: Sendable {
        case found(PracticeResult)
        case unreadable
        case missing
    }

    /// Fetches a result; an unreadable one is no error.
    func readable(_ id: Identifier<PracticeResult>) async throws -> Answer {
        let bytes: [UInt8]
        do { bytes = try await server.bytes(.get, [SyncedKind.result.path, id.description]) } catch DomainError.notFound
        {
            return .missing
        }
        guard let result = try? WireJSON.decode(PracticeResultDTO.self, from: bytes).result() else {
            return .unreadable
        }
        return .found(result)
    }

    /// See `PracticeRepository`. Broken results are in `PracticePage.skipped`.
    public func page(_ query: PracticeQuery, after cursor: PracticeCursor?) async throws -> PracticePage {
        let page: PracticePageDTO = try await server.value(
            .get, [SyncedKind.result.path], QueryParameters(query, after: cursor))
        return try mapped { () throws(MappingFailure) in try page.page() }
    }

    /// The changes of the results after a cursor, 0 for the beginning.
    public func changes(after cursor: Int64, limit: Int = PracticeChanges.limits.upperBound) async throws
        -> PracticeChanges
    {
        let changes: PracticeChangesDTO = try await server.value(
            .get, ["changes"], QueryParameters(changesAfter: cursor, limit: limit))
        return try mapped { () throws(MappingFailure) in try changes.changes() }
    }

    /// See `PracticeRepository`.
    public func delete(_ id: Identifier<PracticeResult>) async throws -> Bool {
        try await server.delete([SyncedKind.result.path, id.description])
    }
}
