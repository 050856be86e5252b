// SPDX-License-Identifier: MIT

/// The directives of `Cache-Control` (RFC 9111 §5.2). A directive that comes twice counts as its strictest form.
struct CacheControl: Sendable {
    private var directives: [String: String] = [:]

    init(_ headers: HTTPHeaders) {
        for value in headers.values(for: "Cache-Control") { add(value) }
        // An old way to say no-cache in requests (RFC 9111 §5.4).
        if directives.isEmpty, headers["Pragma"]?.lowercased().contains("no-cache") == true {
            directives["no-cache"] = ""
        }
    }

    func has(_ name: String) -> Bool { directives[name] != nil }

    /// The directive's number of seconds; zero if it is there but not a number, which counts as stale.
    func seconds(_ name: String) -> Double? {
        directives[name].map { text in
            !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? min(Double(text) ?? 0, 1e10) : 0
        }
    }

    private mutating func add(_ value: String) {
        for part in Self.split(value) {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = halves[0].trimmed.lowercased()
            var argument = halves.count > 1 ? halves[1].trimmed : ""
            if argument.count >= 2, argument.hasPrefix("\""), argument.hasSuffix("\"") {
                argument = String(argument.dropFirst().dropLast())
            }
            guard !name.isEmpty else { continue }
            if let old = directives[name], let first = Double(old), let second = Double(argument), first < second {
                continue
            }
            directives[name] = argument
        }
    }

    // A comma inside quotes does not end a directive.
    private static func split(_ value: String) -> [Substring] {
        var isQuoted = false
        return value.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at its ends.
    var trimmed: String {
        var rest = Substring(self)
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return String(rest)
    }
}
