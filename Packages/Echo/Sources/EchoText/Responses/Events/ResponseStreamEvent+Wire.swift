// SPDX-License-Identifier: MIT

extension ResponseStreamEvent {
    /// Reads an event without the stream's framing.
    ///
    /// - Throws: `JSONParsingError` if it is not JSON, `WireError` if a required field is missing. An unknown kind is
    ///   not an error.
    public init(parsing bytes: Span<UInt8>) throws {
        try self.init(json: try JSONValue(parsing: bytes))
    }

    /// Reads an event.
    ///
    /// - Parameters:
    ///   - json: The event.
    ///   - type: The event's kind, if the stream has it beside the data; the data may lack it.
    /// - Throws: `WireError` if a required field is missing.
    public init(json: JSONValue, type: String? = nil) throws(WireError) {
        let object = try WireObject(json, "event").object
        let type = object["type"]?.string ?? type ?? ""
        guard let reader = ResponseEventTable.readers[type] else {
            // Some servers send an error without saying that it is one.
            let isError = (type.isEmpty || type == "message") && object["error"]?.isNull == false
            self = isError ? .error(try WireObject(json, "error").failure()) : .unknown(type: type, json)
            return
        }
        self = try reader(try WireObject(json, type))
    }
}
