// SPDX-License-Identifier: MIT

import Networking

/// A model in a server's own list.
public struct OfferedModel: Sendable, Hashable {
    /// The id, which requests name.
    public let id: String
    /// The owner, such as `openai` or `library`; nil if the server names none.
    public let owner: String?

    /// A model.
    public init(id: String, owner: String? = nil) {
        self.id = id
        self.owner = owner
    }

    /// The models of an answer to `GET /models`, sorted by id, each once.
    ///
    /// - Throws: `WireError` if the list or an id is missing.
    static func list(json: JSONValue) throws(WireError) -> [OfferedModel] {
        let answer = try WireObject(json, "models")
        guard case .array(let items)? = answer["data"] else {
            throw WireError("models", field: "data", expected: "array")
        }
        var seen: Set<String> = []
        var models: [OfferedModel] = []
        for item in items {
            let model = try WireObject(item, "model")
            let id = try model.string("id")
            if seen.insert(id).inserted {
                models.append(OfferedModel(id: id, owner: model.optionalString("owned_by")))
            }
        }
        return models.sorted { $0.id < $1.id }
    }
}

extension Echo {
    /// The models that the server offers, of every kind, sorted by id: `GET /models`. Nothing is spent.
    ///
    /// - Throws: ``EchoError``: `notFound` from a server without a list, `unsupported` without a server.
    public func models() async throws -> [OfferedModel] {
        guard let connection else { throw EchoError.unsupported("a list of models, since there is no server.") }
        let json = try await connection.json(try connection.request(.get, "/models"))
        do throws(WireError) { return try OfferedModel.list(json: json) } catch {
            throw EchoError.malformedResponse(error.description, requestID: nil)
        }
    }
}
