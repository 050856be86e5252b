// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials
import Networking
import PracticeWire

/// The server's catalogue. If the client has a cache, requests send the `ETag`.
public struct RemoteCueRepository: CueRepository {
    private let server: PracticeServer

    /// Makes the repository of a server.
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

/// Maps a response; a failure counts as the server's error.
func mapped<Value>(_ body: () throws(MappingFailure) -> Value) throws -> Value {
    do throws(MappingFailure) {
        return try body()
    } catch {
        throw DomainError(translating: error)
    }
}
