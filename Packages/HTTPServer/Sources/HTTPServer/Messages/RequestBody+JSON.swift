// SPDX-License-Identifier: MIT

import FoundationEssentials

extension RequestBody {
    /// The body as a value in JSON.
    ///
    /// - Parameters:
    ///   - type: What to decode.
    ///   - limit: The most bytes.
    /// - Throws: What reading throws, and a ``ServerProblem`` with 400 if the body is not such a value.
    public func json<Value: Decodable>(_ type: Value.Type, upTo limit: Int = 64 << 10) async throws -> Value {
        let bytes = try await collect(upTo: limit)
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            throw ServerProblem.badRequest("The body is not the JSON that is expected here.")
        }
    }

    /// The body as a form (`application/x-www-form-urlencoded`).
    ///
    /// - Parameter limit: The most bytes.
    /// - Throws: What reading throws, and a ``ServerProblem`` with 400 if the body is not a form.
    public func form(upTo limit: Int = 64 << 10) async throws -> QueryItems {
        guard let items = QueryItems(encoded: try await collect(upTo: limit)) else {
            throw ServerProblem.badRequest("The body is not a form.")
        }
        return items
    }
}
