// SPDX-License-Identifier: MIT

/// An answer of the model in a voice session.
struct RealtimeResponse: Sendable, Hashable {
    /// The answer's id.
    var id: String
    /// The state.
    var status: ResponseStatus = .inProgress
    /// The reason for a stop or a cut: `turn_detected`, `client_cancelled`, `max_output_tokens`, `content_filter`.
    var reason: String?
    /// The failure.
    var failure: APIFailure?
    /// The items of the answer, in order.
    var output: [ResponseItem] = []
    /// The tokens, once the answer has ended.
    var usage: Usage?
    /// The conversation's id; `nil` for an answer outside of it.
    var conversationID: String?
    /// The metadata of the request.
    var metadata: [String: String] = [:]
}

extension RealtimeResponse {
    init(_ response: WireObject) throws(WireError) {
        let details = response["status_details"]
        let output = try response.array("output").map { item throws(WireError) in
            try ResponseItem(json: item, in: .realtime)
        }
        var metadata: [String: String] = [:]
        for (name, value) in response["metadata"]?.object ?? [:] { metadata[name] = value.string }
        let failure = details?["error"].flatMap { $0.isNull ? nil : APIFailure(json: $0) }
        self.init(
            id: response.optionalString("id") ?? "",
            status: ResponseStatus(rawValue: response.optionalString("status") ?? "in_progress"),
            reason: details?["reason"]?.string, failure: failure, output: output,
            usage: Usage(json: response["usage"]), conversationID: response.optionalString("conversation_id"),
            metadata: metadata)
    }
}
