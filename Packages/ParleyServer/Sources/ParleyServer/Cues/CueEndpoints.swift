// SPDX-License-Identifier: MIT

import Domain
import HTTPServer
import Networking
import PracticeWire

/// The catalogue of cues. It is the same for everybody who has signed in.
struct CueEndpoints: Sendable {
    let catalogue: any CueRepository

    func add(to router: inout Router, _ access: AuthenticationMiddleware) {
        router.member(.get, "/cues", access) { _, request in
            let (query, cursor): (CueQuery, CueCursor?)
            do throws(MappingFailure) {
                (query, cursor) = try request.wireQuery.cueQuery()
            } catch {
                throw ServerProblem(error)
            }
            let page = CuePageDTO(try await catalogue.page(query, after: cursor))
            return try .revalidated(WireJSON.encode(page), for: request)
        }
        router.member(.get, "/cues/{id}", access) { _, request in
            guard let cue = try await catalogue.cue(request.identifier()) else { throw ServerProblem.notFound }
            return try .revalidated(WireJSON.encode(CueDTO(cue)), for: request)
        }
    }
}
