// SPDX-License-Identifier: MIT

/// The target of a request line (RFC 9112 §3.2): a path and a query, decoded once and checked.
///
/// Refused are dot segments, NUL and other control characters, encoded slashes and backslashes, malformed
/// percent-encoding, invalid UTF-8, and fragments: a path that a handler gets cannot leave its folder.
struct RequestTarget: Sendable, Hashable {
    /// The reason why a target is refused.
    struct Refusal: Error, Hashable {
        /// The fault, worded to follow "The address".
        let finding: String
    }

    /// The decoded segments of the path; empty for `/`. A slash at the end makes a last segment that is empty.
    let path: [String]
    let query: QueryItems
    /// The authority of the absolute form.
    let authority: String?
    /// True if it is the `*` of `OPTIONS *`.
    let isAsterisk: Bool

    init(_ text: some Collection<UInt8>) throws(Refusal) {
        var rest = Array(text)[...]
        if rest.elementsEqual("*".utf8) {
            (path, query, authority, isAsterisk) = ([], QueryItems(), nil, true)
            return
        }
        isAsterisk = false
        guard rest.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw Refusal(finding: "has a space, a control character or a character that is not ASCII in it")
        }
        guard !rest.contains(UInt8(ascii: "#")) else { throw Refusal(finding: "has a fragment") }
        authority = try Self.takeAuthority(&rest)
        if authority != nil, rest.isEmpty || rest.first == UInt8(ascii: "?") { rest = [UInt8(ascii: "/")] + rest }
        guard rest.first == UInt8(ascii: "/") else { throw Refusal(finding: "does not begin with a slash") }
        let mark = rest.firstIndex(of: UInt8(ascii: "?"))
        path = try Self.segments(rest[..<(mark ?? rest.endIndex)])
        guard let query = mark.map({ QueryItems(encoded: rest[rest.index(after: $0)...]) }) ?? QueryItems() else {
            throw Refusal(finding: "has a malformed query")
        }
        self.query = query
    }

    /// Takes `http://authority` off the absolute form, which a server must accept (RFC 9112 §3.2.2).
    private static func takeAuthority(_ rest: inout ArraySlice<UInt8>) throws(Refusal) -> String? {
        for scheme in ["http://", "https://"] {
            let prefix = rest.prefix(scheme.utf8.count)
            guard String(decoding: prefix, as: UTF8.self).lowercased() == scheme else { continue }
            rest = rest.dropFirst(scheme.utf8.count)
            let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            rest = rest.dropFirst(authority.count)
            let text = String(decoding: authority, as: UTF8.self)
            guard HeaderRules.isHost(text) else { throw Refusal(finding: "names a malformed host") }
            return text
        }
        return nil
    }

    private static func segments(_ path: ArraySlice<UInt8>) throws(Refusal) -> [String] {
        var segments: [String] = []
        for encoded in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let bytes = PercentEncoding.decode(encoded) else {
                throw Refusal(finding: "has a % without two hexadecimal digits")
            }
            guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
                throw Refusal(finding: "has an encoded control character")
            }
            guard !bytes.contains(UInt8(ascii: "/")), !bytes.contains(UInt8(ascii: "\\")) else {
                throw Refusal(finding: "has an encoded slash, or a backslash")
            }
            guard let segment = String(validating: bytes, as: UTF8.self) else {
                throw Refusal(finding: "is not UTF-8 when decoded")
            }
            guard segment != ".", segment != ".." else { throw Refusal(finding: "has a dot segment") }
            segments.append(segment)
        }
        return segments == [""] ? [] : segments
    }
}

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

    /// The items in order; a name may occur more than once.
    public let items: [Item]

    /// Items in this order.
    public init(_ items: [Item] = []) {
        self.items = items
    }

    /// Reads an encoded query or form.
    ///
    /// - Returns: `nil` if the percent-encoding is malformed, or its bytes are not UTF-8 or include a NUL.
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

    /// The first value with that name.
    public subscript(name: String) -> String? {
        items.first { $0.name == name }?.value
    }

    /// Every value with that name, in order.
    public func values(for name: String) -> [String] {
        items.filter { $0.name == name }.map(\.value)
    }

    private static func text(_ encoded: some Collection<UInt8>) -> String? {
        guard let bytes = PercentEncoding.decode(encoded, plusIsSpace: true), !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// Percent-encoding by RFC 3986 §2.1.
enum PercentEncoding {
    /// The bytes of a percent-encoded text; `nil` if a `%` is not followed by two hexadecimal digits.
    static func decode(_ text: some Sequence<UInt8>, plusIsSpace: Bool = false) -> [UInt8]? {
        var result: [UInt8] = []
        var bytes = text.makeIterator()
        while let byte = bytes.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = bytes.next().flatMap(digit), let low = bytes.next().flatMap(digit) else { return nil }
                result.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace:
                result.append(UInt8(ascii: " "))
            default:
                result.append(byte)
            }
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
