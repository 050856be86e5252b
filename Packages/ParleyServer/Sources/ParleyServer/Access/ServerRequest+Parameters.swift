// SPDX-License-Identifier: MIT

import Domain
import HTTPServer
import PracticeWire

extension ServerRequest {
    /// The id in the path. An invalid id identifies nothing, so it is a 404 as well.
    func identifier<Entity>(_ name: String = "id") throws -> Identifier<Entity> {
        guard let id = Identifier<Entity>(try parameter(name)) else { throw ServerProblem.notFound }
        return id
    }

    /// The query in the form that the wire's types read.
    var wireQuery: QueryParameters { QueryParameters(query.items.map { ($0.name, $0.value) }) }
}

extension ServerProblem {
    /// 400: the client's input does not match the wire format.
    init(_ failure: MappingFailure) {
        self = .badRequest(failure.description)
    }
}
