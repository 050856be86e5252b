// SPDX-License-Identifier: MIT

public import StructuredJSON

/// The `error` of a response (JSON-RPC 2.0 §5.1).
public struct JSONRPCFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error: one of the constants below, or the server's own.
    public let code: Int
    /// The server's explanation. It is untrusted: show it as text, and never run it.
    public let message: String
    /// More data, in a form that depends on the code.
    public let data: JSONValue?

    /// An error.
    public init(code: Int, message: String, data: JSONValue? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

    /// Not JSON.
    public static let parseError = -32700
    /// JSON, but no message of the protocol.
    public static let invalidRequest = -32600
    /// The method is unknown or not offered.
    public static let methodNotFound = -32601
    /// The parameters are wrong.
    public static let invalidParameters = -32602
    /// Something failed inside.
    public static let internalError = -32603
    /// The resource does not exist (revisions before 2026-07-28).
    public static let resourceNotFound = -32002
    /// HTTP headers and body disagree (2026-07-28).
    public static let headerMismatch = -32020
    /// The server needs a capability which the request did not declare (2026-07-28).
    public static let missingClientCapability = -32021
    /// The server does not speak the request's revision (2026-07-28).
    public static let unsupportedProtocolVersion = -32022

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// The error in an object; `nil` if the value is not an object. A missing code counts as an internal error.
    init?(json: JSONValue?) {
        guard let object = json?.object else { return nil }
        code = object["code"]?.integer ?? Self.internalError
        message = object["message"]?.string ?? ""
        data = object["data"]
    }

    var json: JSONValue {
        var object: JSONObject = ["code": .integer(code), "message": .string(message)]
        object["data"] = data
        return .object(object)
    }
}
