// SPDX-License-Identifier: MIT

extension JSONValue {
    /// The default limit of levels of nested arrays and objects.
    public static let defaultMaximumDepth = 256

    /// Reads one JSON text in UTF-8.
    ///
    /// - Parameter maximumDepth: The most levels of nested arrays and objects; hostile input must not exhaust the
    ///   stack.
    /// - Throws: `JSONParsingError` with the position.
    public init(parsing bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth) throws(JSONParsingError) {
        try self.init(parsing: bytes.span, maximumDepth: maximumDepth)
    }

    /// Reads one JSON text in UTF-8.
    public init(
        parsing bytes: Span<UInt8>, maximumDepth: Int = defaultMaximumDepth
    ) throws(JSONParsingError) {
        var parser = JSONParser(maximumDepth: maximumDepth)
        self = try parser.document(bytes)
    }

    /// Reads one JSON text.
    public init(
        parsing text: String, maximumDepth: Int = defaultMaximumDepth
    ) throws(JSONParsingError) {
        try self.init(parsing: text.utf8.span, maximumDepth: maximumDepth)
    }

    /// The value as compact JSON: members in order, no white space, only the necessary escapes.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The value as compact JSON in UTF-8.
    public var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.append(self)
        return writer.bytes
    }

    /// The value as compact JSON with the members of each object sorted by name (RFC 8785's order of UTF-16 units): one
    /// text for equal values, for hashes and comparisons. Numbers are written as Swift does.
    public var sortedText: String {
        var writer = JSONWriter(sortsNames: true)
        writer.append(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
