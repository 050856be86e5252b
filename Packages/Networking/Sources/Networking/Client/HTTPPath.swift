// SPDX-License-Identifier: MIT

/// A path below a client's base URL. The literal is used as it is; each interpolated value is one segment, with its
/// slashes and question marks percent-encoded:
///
///     try await client.get("cues/\(id)/recordings")
public struct HTTPPath: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The path, percent-encoded, without a slash at its start.
    let encoded: String
    /// True if a segment is `.` or `..`, which would lead elsewhere.
    let leadsElsewhere: Bool

    /// A path from segments, each of which is percent-encoded.
    public init(_ segments: [String]) {
        self.init(encoded: segments.map { $0.percentEncoded() }.joined(separator: "/"))
    }

    /// A literal path.
    public init(stringLiteral value: String) {
        self.init(encoded: value.percentEncoded(keeping: "/"))
    }

    /// A literal path with values in it.
    public init(stringInterpolation: StringInterpolation) {
        self.init(encoded: stringInterpolation.encoded)
    }

    private init(encoded: String) {
        self.encoded = String(encoded.drop { $0 == "/" })
        leadsElsewhere = encoded.split(separator: "/").contains { $0 == "." || $0 == ".." }
    }

    /// The parts of an interpolated path.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var encoded = ""

        /// An empty path.
        public init(literalCapacity: Int, interpolationCount: Int) {
            encoded.reserveCapacity(literalCapacity)
        }

        /// A part of the literal.
        public mutating func appendLiteral(_ literal: String) {
            encoded += literal.percentEncoded(keeping: "/")
        }

        /// A value, as one segment or a part of one.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            encoded += value.description.percentEncoded()
        }
    }
}

/// The query of a request, in order: `["page": 2, "after": nil]`. An item without a value is left out.
public struct HTTPQuery: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// The names and values, not encoded.
    private(set) var items: [Item] = []

    struct Item: Sendable, Hashable {
        let name: String
        let value: String
    }

    /// A query; a name may be repeated.
    public init(dictionaryLiteral elements: (String, (any CustomStringConvertible)?)...) {
        for (name, value) in elements { add(name, value) }
    }

    /// Appends an item, unless the value is nil.
    public mutating func add(_ name: String, _ value: (any CustomStringConvertible)?) {
        if let value { items.append(Item(name: name, value: value.description)) }
    }

    /// The query of a URL, without the question mark.
    var encoded: String {
        items.map { "\($0.name.percentEncoded())=\($0.value.percentEncoded())" }.joined(separator: "&")
    }
}

extension String {
    /// Everything but the unreserved characters of RFC 3986 §2.3, and those of `kept`, percent-encoded.
    func percentEncoded(keeping kept: String = "") -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            case _ where kept.utf8.contains(byte): bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
