// SPDX-License-Identifier: MIT

public import StructuredJSON

/// Matches a response to its request (JSON-RPC 2.0 §4). `1` and `"1"` are not the same.
public enum JSONRPCID: Sendable, Hashable, CustomStringConvertible {
    /// A whole number, as this client makes them.
    case integer(Int)
    /// A text.
    case string(String)

    /// An identifier; `nil` if the value is neither a whole number nor a text.
    public init?(_ json: JSONValue?) {
        if let number = json?.integer {
            self = .integer(number)
        } else if let text = json?.string {
            self = .string(text)
        } else {
            return nil
        }
    }

    /// The identifier as it is sent.
    public var json: JSONValue {
        switch self {
        case .integer(let number): .integer(number)
        case .string(let text): .string(text)
        }
    }

    /// The identifier as JSON text.
    public var description: String { json.text }
}
