// SPDX-License-Identifier: MIT

/// The fields of a message in their order; names compare without regard to case (RFC 9110 §5.1).
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral, RandomAccessCollection {
    /// One line of the header.
    public struct Field: Sendable, Hashable {
        /// The name as it was given.
        public var name: String
        /// The value without surrounding white space.
        public var value: String

        /// A field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Fields are equal when their values are, and their names are but for case.
        public static func == (first: Field, second: Field) -> Bool {
            first.value == second.value && HTTPHeaders.areSame(first.name, second.name)
        }

        /// Hashes the fields that `==` compares.
        public func hash(into hasher: inout Hasher) {
            for byte in name.utf8 { hasher.combine(HTTPHeaders.lowercased(byte)) }
            hasher.combine(value)
        }
    }

    /// The lines, in their order on the wire.
    public private(set) var fields: [Field]

    /// A header with these lines.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// A header with these lines in this order; a name may be repeated.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The position of the first line.
    public var startIndex: Int { 0 }
    /// The position after the last line.
    public var endIndex: Int { fields.count }
    /// The line at a position.
    public subscript(position: Int) -> Field { fields[position] }

    /// The first value of that name. Setting it replaces every line of that name, at the position of the first; setting
    /// `nil` removes them.
    public subscript(name: String) -> String? {
        get { fields.first { Self.areSame($0.name, name) }?.value }
        set {
            guard let newValue else { return remove(name) }
            guard let first = fields.firstIndex(where: { Self.areSame($0.name, name) }) else {
                return fields.append(Field(name: name, value: newValue))
            }
            fields[first] = Field(name: name, value: newValue)
            let rest = fields.index(after: first)
            fields.replaceSubrange(rest..., with: fields[rest...].filter { !Self.areSame($0.name, name) })
        }
    }

    /// Every value of that name, in order.
    public func values(for name: String) -> [String] {
        fields.filter { Self.areSame($0.name, name) }.map(\.value)
    }

    /// The values of that name as one list, joined with commas (RFC 9110 §5.3), or `nil` if it is missing.
    public func combined(for name: String) -> String? {
        let values = values(for: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// True if there is a line of that name.
    public func contains(name: String) -> Bool {
        fields.contains { Self.areSame($0.name, name) }
    }

    /// Appends a line and keeps those of the same name.
    public mutating func add(name: String, value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Replaces the value of the last line.
    mutating func replaceLast(with value: String) {
        guard !fields.isEmpty else { return }
        fields[fields.count - 1].value = value
    }

    /// Removes every line of that name.
    public mutating func remove(_ name: String) {
        fields.removeAll { Self.areSame($0.name, name) }
    }

    static func areSame(_ first: String, _ second: String) -> Bool {
        first.utf8.count == second.utf8.count
            && zip(first.utf8, second.utf8).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
