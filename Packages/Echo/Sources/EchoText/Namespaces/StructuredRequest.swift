// SPDX-License-Identifier: MIT

/// Asks for JSON that fits a schema, and once more if it does not.
struct StructuredRequest: Sendable {
    let service: any ResponsesService
    let model: ResponsesModel
    let instructions: String?
    let schema: JSONSchema
    /// The name of the schema in the API.
    let name: String

    /// Asks the model, and returns the result of `read` for its answer.
    ///
    /// - Parameter read: Throws what the model is told.
    func value<Value>(for prompt: String, read: (JSONValue) throws -> Value) async throws -> Value {
        let form = form
        var request = ResponsesRequest(model: model, text: prompt, instructions: instructions)
        request.store = service.keepsResponses ? false : nil
        request.textFormat = .jsonSchema(name: name, schema: form.schema, isStrict: form.isStrict)
        let first = try await text(of: request)
        switch attempt(first, form, read) {
        case .success(let value): return value
        case .failure(let problem):
            request.input += [
                .message(.assistant, first),
                .message(
                    .user, "That JSON does not fit: \(problem.reason)\nAnswer again with JSON that fits the schema."),
            ]
            let second = try await text(of: request)
            return try attempt(second, form, read).mapError {
                EchoError.invalidStructuredOutput($0.reason, text: second)
            }.get()
        }
    }

    private struct Form {
        var schema: JSONValue
        var isStrict: Bool
        var unwrap: @Sendable (JSONValue) -> JSONValue
    }

    private struct Problem: Error {
        let reason: String
    }

    /// The schema to send: strict mode's form, or the schema itself where that has none.
    private var form: Form {
        guard let strict = try? schema.strict() else {
            return Form(schema: schema.json, isStrict: false, unwrap: { $0 })
        }
        return Form(schema: strict.schema.json, isStrict: true, unwrap: strict.unwrap)
    }

    private func text(of request: ResponsesRequest) async throws -> String {
        let response = try await service.create(request)
        if let refusal = response.refusal { throw EchoError.refused(refusal) }
        if response.status == .incomplete {
            throw EchoError.invalidStructuredOutput(
                "the answer was cut off (\(response.incompleteReason ?? "no reason given")). Allow more output tokens.",
                text: response.outputText)
        }
        return response.outputText
    }

    private func attempt<Value>(
        _ text: String, _ form: Form, _ read: (JSONValue) throws -> Value
    ) -> Result<Value, Problem> {
        let json: JSONValue
        do throws(JSONParsingError) { json = try JSONValue(parsing: text) } catch {
            return .failure(Problem(reason: "it is no valid JSON: \(error)"))
        }
        let value = form.isStrict ? form.unwrap(json).leavingOutNulls(where: schema.json) : json
        let violations = schema.violations(of: value)
        guard violations.isEmpty else {
            return .failure(Problem(reason: violations.map(\.description).joined(separator: "\n")))
        }
        do { return .success(try read(value)) } catch {
            return .failure(Problem(reason: "\(error)"))
        }
    }
}

extension JSONValue {
    /// The value without the nulls of strict mode, where the schema lets a property be missing but not be null.
    fileprivate func leavingOutNulls(where schema: JSONValue) -> JSONValue {
        switch self {
        case .array(let values):
            guard let items = schema["items"] else { return self }
            return .array(values.map { $0.leavingOutNulls(where: items) })
        case .object(let members):
            let required = schema["required"]?.array ?? []
            var kept = JSONObject()
            for (name, value) in members {
                let property = schema["properties"]?[name]
                let isLeftOut =
                    value.isNull && !required.contains(.string(name))
                    && property.map { !JSONSchema($0).violations(of: .null).isEmpty } ?? false
                if !isLeftOut { kept[name] = property.map(value.leavingOutNulls) ?? value }
            }
            return .object(kept)
        default: return self
        }
    }
}
