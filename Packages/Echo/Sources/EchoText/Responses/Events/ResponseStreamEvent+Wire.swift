// SPDX-License-Identifier: MIT

extension ResponseStreamEvent {
    /// Reads an event as it came, without what the stream wraps around it.
    ///
    /// - Throws: `JSONParsingError` if it is no JSON, `WireError` if it lacks what its kind must have. A kind that is not
    ///   known is no error.
    public init(parsing bytes: Span<UInt8>) throws {
        try self.init(json: try JSONValue(parsing: bytes))
    }

    /// Reads an event.
    ///
    /// - Parameters:
    ///   - json: The event.
    ///   - type: Its kind, where the stream names it beside the data and the data may not.
    /// - Throws: `WireError` if it lacks what its kind must have.
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
