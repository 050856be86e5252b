// SPDX-License-Identifier: MIT

/// The server's description of a failed request or answer. No field has a key in it.
public struct APIFailure: Error, Sendable, Hashable {
    /// The HTTP status; `nil` if the failure arrived in a stream.
    public var status: Int?
    /// The kind, such as `invalid_request_error`.
    public var type: String?
    /// The code, such as `context_length_exceeded`.
    public var code: String?
    /// The request's field that caused the failure.
    public var parameter: String?
    /// The server's message.
    public var message: String
    /// The id to give when asking the provider about it (`x-request-id`).
    public var requestID: String?
    /// The wait that the server asks for.
    public var retryAfter: Duration?

    /// A failure.
    public init(
        status: Int? = nil, type: String? = nil, code: String? = nil, parameter: String? = nil, message: String,
        requestID: String? = nil, retryAfter: Duration? = nil
    ) {
        self.status = status
        self.type = type
        self.code = code
        self.parameter = parameter
        self.message = message
        self.requestID = requestID
        self.retryAfter = retryAfter
    }
}

extension APIFailure: CustomStringConvertible {
    /// The server's message, with status, code and request id.
    public var description: String {
        var details: [String] = []
        if let status { details.append("status \(status)") }
        if let code = code ?? type { details.append(code) }
        if let parameter { details.append("parameter \(parameter)") }
        if let requestID { details.append("request \(requestID)") }
        return details.isEmpty ? message : "\(message) (\(details.joined(separator: ", ")))"
    }
}
