// SPDX-License-Identifier: MIT

/// What a request line asks for (RFC 9112 §3.2): a path and a query, decoded once and checked.
///
/// Refused are dot segments, NUL and other control characters, encoded slashes and backslashes, malformed
/// percent-encoding, what is not UTF-8, and fragments: what a handler sees cannot leave its folder.
struct RequestTarget: Sendable, Hashable {
    /// Why a target is refused.
    struct Refusal: Error, Hashable {
        /// What it is or has, after "The address".
        let finding: String
    }

    /// The decoded segments of the path; `/` has none. A slash at the end makes a last one that is empty.
    let path: [String]
    let query: QueryItems
    /// The authority of the absolute form.
    let authority: String?
    /// Whether it is the `*` of `OPTIONS *`.
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
