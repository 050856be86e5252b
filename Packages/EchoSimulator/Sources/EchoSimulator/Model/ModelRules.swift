// SPDX-License-Identifier: MIT

import StructuredJSON

/// Parameters that reasoning models refuse although the endpoint knows them.
enum ModelRules {
    static func checkResponses(_ body: JSONValue, model: String) throws(APIError) {
        guard SimulatorModels.responses.values.contains(model) else { return }
        for name in ["temperature", "top_p"] where body[name]?.double != nil {
            throw APIError(
                status: 400, message: "Unsupported parameter: '\(name)' is not supported with this model.", param: name,
                code: "unsupported_parameter")
        }
    }

    static func checkChat(_ body: JSONValue, model: String) throws(APIError) {
        guard SimulatorModels.responses.values.contains(model) else { return }
        if body["max_tokens"]?.integer != nil {
            throw APIError(
                status: 400,
                message: "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                    + "'max_completion_tokens' instead.",
                param: "max_tokens", code: "unsupported_parameter")
        }
        for name in ["temperature", "top_p"] {
            guard let value = body[name]?.double, value != 1 else { continue }
            throw APIError(
                status: 400,
                message: "Unsupported value: '\(name)' does not support \(value) with this model. Only the default (1) "
                    + "value is supported.",
                param: name, code: "unsupported_value")
        }
    }
}
