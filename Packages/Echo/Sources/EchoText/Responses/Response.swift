// SPDX-License-Identifier: MIT

/// The model's answer to one request.
package struct Response: Sendable, Hashable {
    /// The server's id of the answer, for continuing, retrieving, cancelling and deleting it.
    package var id: String
    /// The model that answered, with its date.
    package var model: String
    /// The state.
    package var status: ResponseStatus
    /// The items of the answer, in order.
    package var output: [ResponseItem]
    /// The failure; `nil` if the response succeeded.
    package var failure: APIFailure?
    /// The reason for a cut answer, such as `max_output_tokens` or `content_filter`; `nil` if it is whole.
    package var incompleteReason: String?
    /// The tokens, once the answer has ended.
    package var usage: Usage?
    /// The time of its beginning, in seconds since 1970.
    package var createdAt: Double?
    /// The id of the answer that this one continues.
    package var previousResponseID: String?
    /// The metadata of the request.
    package var metadata: [String: String]
    /// True if the answer continues without a connection.
    package var isBackground: Bool
    /// The JSON from the server; `nil` if the answer was assembled here.
    package var json: JSONValue?

    /// An answer.
    package init(
        id: String = "", model: String = "", status: ResponseStatus = .inProgress, output: [ResponseItem] = [],
        failure: APIFailure? = nil, incompleteReason: String? = nil, usage: Usage? = nil, createdAt: Double? = nil,
        previousResponseID: String? = nil, metadata: [String: String] = [:], isBackground: Bool = false,
        json: JSONValue? = nil
    ) {
        self.id = id
        self.model = model
        self.status = status
        self.output = output
        self.failure = failure
        self.incompleteReason = incompleteReason
        self.usage = usage
        self.createdAt = createdAt
        self.previousResponseID = previousResponseID
        self.metadata = metadata
        self.isBackground = isBackground
        self.json = json
    }

    /// The text of all messages, without reasoning and refusals.
    package var outputText: String {
        output.reduce(into: "") { text, item in
            guard case .message(let message) = item else { return }
            for case .outputText(let part) in message.content { text += part.text }
        }
    }

    /// The functions that the model calls, in order.
    package var functionCalls: [FunctionCallItem] {
        output.compactMap { if case .functionCall(let call) = $0 { call } else { nil } }
    }

    /// The refusal, if the model declined.
    package var refusal: String? {
        output.lazy.compactMap { if case .message(let message) = $0 { message.refusal } else { nil } }.first
    }
}

extension Response {
    /// An answer from the server.
    ///
    /// - Throws: `WireError` if the id is missing.
    package init(json: JSONValue) throws(WireError) {
        let response = try WireObject(json, "response")
        let output = try response.array("output").map { item throws(WireError) in try ResponseItem(json: item) }
        var metadata: [String: String] = [:]
        for (name, value) in response["metadata"]?.object ?? [:] { metadata[name] = value.string }
        self.init(
            id: try response.string("id"), model: response.optionalString("model") ?? "",
            status: ResponseStatus(rawValue: response.optionalString("status") ?? "completed"), output: output,
            failure: response["error"].map { APIFailure(json: $0) },
            incompleteReason: response["incomplete_details"]?["reason"]?.string, usage: Usage(json: response["usage"]),
            createdAt: response["created_at"]?.double,
            previousResponseID: response.optionalString("previous_response_id"),
            metadata: metadata, isBackground: response["background"]?.bool ?? false, json: json)
    }
}

extension APIFailure {
    /// The failure in the `error` of a response, an `error` event or an error response: an object, or only a text.
    package init(json: JSONValue, status: Int? = nil, requestID: String? = nil, retryAfter: Duration? = nil) {
        let code = json["code"]
        self.init(
            status: status, type: json["type"]?.string, code: code?.string ?? code?.integer.map(String.init),
            parameter: json["param"]?.string,
            message: json["message"]?.string ?? json.string ?? "The server gave no reason.", requestID: requestID,
            retryAfter: retryAfter)
    }
}
