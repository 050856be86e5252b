// SPDX-License-Identifier: MIT

import StructuredJSON

/// An error in an event of the client's, as an `error` event reports it.
struct RealtimeProblem: Error, Sendable, Hashable {
    var type = "invalid_request_error"
    var code: String?
    var message: String
    var param: String?

    init(code: String?, message: String, param: String? = nil, type: String = "invalid_request_error") {
        self.type = type
        self.code = code
        self.message = message
        self.param = param
    }

    init(_ error: APIError) {
        self.init(code: error.code, message: error.message, param: error.param, type: error.type)
    }

    /// The `error` event, without its `event_id`.
    ///
    /// - Parameter about: The `event_id` of the client's event that it is about.
    func event(about: String?) -> JSONObject {
        [
            "type": "error",
            "error": [
                "type": .string(type), "code": code.map(JSONValue.string) ?? .null, "message": .string(message),
                "param": param.map(JSONValue.string) ?? .null, "event_id": about.map(JSONValue.string) ?? .null,
            ],
        ]
    }
}

extension RealtimeProblem {
    static func unknownItem(_ id: String, to deed: String, code: String, param: String = "item_id") -> Self {
        Self(code: code, message: "Error \(deed) item: the item with id '\(id)' does not exist.", param: param)
    }

    static func tooSmall(milliseconds: Double) -> Self {
        let hundredths = Int((milliseconds * 100).rounded())
        let digits = hundredths % 100
        return Self(
            code: "input_audio_buffer_commit_empty",
            message:
                "Error committing input audio buffer: buffer too small. Expected at least 100ms of audio, but buffer "
                + "only has \(hundredths / 100).\(digits < 10 ? "0" : "")\(digits)ms of audio.")
    }

    static func alreadyActive(_ id: String) -> Self {
        Self(
            code: "conversation_already_has_active_response",
            message:
                "Conversation already has an active response in progress: \(id). Wait until the response is finished "
                + "before creating a new one.")
    }

    static let notActive = Self(
        code: "response_cancel_not_active", message: "Cancellation failed: no active response found")

    static let expired = Self(
        code: "session_expired", message: "Your session hit the maximum duration of 60 minutes.")
}
