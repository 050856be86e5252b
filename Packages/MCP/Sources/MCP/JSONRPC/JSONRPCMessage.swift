// SPDX-License-Identifier: MIT

public import StructuredJSON

/// One message of JSON-RPC 2.0, as the Model Context Protocol uses it: parameters and results are objects.
public enum JSONRPCMessage: Sendable, Hashable {
    /// A message that demands an answer.
    case request(id: JSONRPCID, method: String, parameters: JSONObject)
    /// A message without an answer.
    case notification(method: String, parameters: JSONObject)
    /// The answer of a request that succeeded.
    case result(id: JSONRPCID, JSONValue)
    /// The answer of a request that failed; without an identifier if the other side could not read the request's.
    case failure(id: JSONRPCID?, JSONRPCFault)

    /// The result of reading: a message, or the reason why there is none.
    public enum Reading: Sendable, Hashable {
        /// A message.
        case message(JSONRPCMessage)
        /// Bytes that are not a message.
        case invalid(InvalidMessage)
    }

    /// Received bytes that are not a message.
    public struct InvalidMessage: Sendable, Hashable {
        /// The error in it.
        public let reason: String
        /// The identifier of a request that is malformed elsewhere: the request must be answered.
        public let requestID: JSONRPCID?
    }

    /// Reads one line, one HTTP body or one event: a message, or a batch of them (2025-03-26). Any bytes are allowed;
    /// those that are not a message are read as invalid.
    public static func read(_ bytes: [UInt8]) -> [Reading] {
        let json: JSONValue
        do throws(JSONParsingError) {
            json = try JSONValue(parsing: bytes)
        } catch {
            return [.invalid(InvalidMessage(reason: "\(error)", requestID: nil))]
        }
        guard let batch = json.array else { return [Reading(json)] }
        return batch.isEmpty
            ? [.invalid(InvalidMessage(reason: "The batch is empty.", requestID: nil))] : batch.map { Reading($0) }
    }

    /// The message as JSON.
    public var json: JSONValue {
        var object: JSONObject = ["jsonrpc": "2.0"]
        switch self {
        case .request(let id, let method, let parameters):
            object["id"] = id.json
            object["method"] = .string(method)
            if !parameters.isEmpty { object["params"] = .object(parameters) }
        case .notification(let method, let parameters):
            object["method"] = .string(method)
            if !parameters.isEmpty { object["params"] = .object(parameters) }
        case .result(let id, let result):
            object["id"] = id.json
            object["result"] = result
        case .failure(let id, let fault):
            object["id"] = id?.json ?? .null
            object["error"] = fault.json
        }
        return .object(object)
    }

    /// The message in UTF-8, without a line end.
    public var bytes: [UInt8] { json.bytes }

    /// The method of a request or notification.
    var method: String? {
        switch self {
        case .request(_, let method, _), .notification(let method, _): method
        case .result, .failure: nil
        }
    }

    /// The identifier of a request.
    var requestID: JSONRPCID? {
        if case .request(let id, _, _) = self { id } else { nil }
    }

    /// The identifier that an answer is for.
    var answeredID: JSONRPCID? {
        switch self {
        case .result(let id, _): id
        case .failure(let id, _): id
        case .request, .notification: nil
        }
    }
}

extension JSONRPCMessage.Reading {
    init(_ json: JSONValue) {
        guard let object = json.object else {
            self = .invalid(.init(reason: "A message is an object, and this is \(json.kind).", requestID: nil))
            return
        }
        let id = JSONRPCID(object["id"])
        func invalid(_ reason: String) -> Self {
            .invalid(.init(reason: reason, requestID: object["method"] == nil ? nil : id))
        }
        guard object["jsonrpc"]?.string == "2.0" else {
            self = invalid("The message does not say \"jsonrpc\": \"2.0\".")
            return
        }
        if let method = object["method"] {
            guard let method = method.string else {
                self = invalid("The method is not a string.")
                return
            }
            let parameters: JSONObject
            switch object["params"] {
            case .some(.object(let members)): parameters = members
            case nil, .some(.null): parameters = [:]
            default:
                self = invalid("The parameters are no object.")
                return
            }
            if let id {
                self = .message(.request(id: id, method: method, parameters: parameters))
            } else if object["id"] == nil {
                self = .message(.notification(method: method, parameters: parameters))
            } else {
                self = invalid("The identifier is neither a string nor an integer.")
            }
        } else if let fault = JSONRPCFault(json: object["error"]) {
            self = .message(.failure(id: id, fault))
        } else if let result = object["result"], let id {
            self = .message(.result(id: id, result))
        } else {
            self = invalid("The message has neither method, result nor error.")
        }
    }
}
