// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials
import Networking
import PracticeWire

/// The server's catalogue. Answers are asked for with their `ETag` when the client has a cache.
public struct RemoteCueRepository: CueRepository {
    private let server: PracticeServer

    /// The catalogue of a server.
    public init(_ server: PracticeServer) { self.server = server }

    /// See `CueRepository`. Broken cues are in `CuePage.skipped`.
    public func page(_ query: CueQuery, after cursor: CueCursor?) async throws -> CuePage {
        let page: CuePageDTO = try await server.value(.get, ["cues"], QueryParameters(query, after: cursor))
        return try mapped { () throws(MappingFailure) in try page.page() }
    }

    /// See `CueRepository`.
    public func cue(_ id: Identifier<Cue>) async throws -> Cue? {
        guard let cue = try await server.valueIfThere(CueDTO.self, ["cues", id.description]) else { return nil }
        return try mapped { () throws(MappingFailure) in try cue.cue() }
    }
}

/// Maps an answer; a failure is the server's.
func mapped<Value>(_ body: () throws(MappingFailure) -> Value) throws -> Value {
    do throws(MappingFailure) {
        return try body()
    } catch {
        throw DomainError(translating: error)
    }
}
