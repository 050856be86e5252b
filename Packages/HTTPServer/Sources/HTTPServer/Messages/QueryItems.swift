// SPDX-License-Identifier: MIT

/// The names and values after the `?` of an address, or of a form, in their order
/// (`application/x-www-form-urlencoded`, WHATWG URL §5).
public struct QueryItems: Sendable, Hashable {
    /// One name with its value.
    public struct Item: Sendable, Hashable {
        /// The decoded name.
        public var name: String
        /// The decoded value; empty if there is no `=`.
        public var value: String

        /// An item.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The items in their order; a name may come more than once.
    public let items: [Item]

    /// Items in this order.
    public init(_ items: [Item] = []) {
        self.items = items
    }

    /// Reads an encoded query or form.
    ///
    /// - Returns: `nil` where the percent-encoding is malformed, or what it encodes is not UTF-8 or has a NUL in it.
    public init?(encoded: some Collection<UInt8>) {
        var items: [Item] = []
        for part in encoded.split(separator: UInt8(ascii: "&")) {
            let equals = part.firstIndex(of: UInt8(ascii: "="))
            let name = part[..<(equals ?? part.endIndex)]
            let value = equals.map { part[part.index(after: $0)...] } ?? part[part.endIndex...]
            guard let name = Self.text(name), let value = Self.text(value) else { return nil }
            items.append(Item(name: name, value: value))
        }
        self.items = items
    }

    /// The first value by that name.
    public subscript(name: String) -> String? {
        items.first { $0.name == name }?.value
    }

    /// Every value by that name, in order.
    public func values(for name: String) -> [String] {
        items.filter { $0.name == name }.map(\.value)
    }

    private static func text(_ encoded: some Collection<UInt8>) -> String? {
        guard let bytes = PercentEncoding.decode(encoded, plusIsSpace: true), !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
