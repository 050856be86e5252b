// SPDX-License-Identifier: MIT

import Domain
import HTTPServer
import PracticeWire

extension ServerRequest {
    /// The name in the path. What is no name names nothing, so it is a 404 as well.
    func identifier<Entity>(_ name: String = "id") throws -> Identifier<Entity> {
        guard let id = Identifier<Entity>(try parameter(name)) else { throw ServerProblem.notFound }
        return id
    }

    /// The query as the wire's types read it.
    var wireQuery: QueryParameters { QueryParameters(query.items.map { ($0.name, $0.value) }) }
}

extension ServerProblem {
    /// 400: what a client wrote is not what the wire has.
    init(_ failure: MappingFailure) {
        self = .badRequest(failure.description)
    }
}
