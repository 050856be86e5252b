// SPDX-License-Identifier: MIT

/// Finds secrets in UTF-8 text in one pass: every form begins at the start of a word, and no form reads the bytes that
/// it has rejected again.
struct SecretScanner {
    struct Cut: Equatable {
        let range: Range<Int>
        let kind: StaticString

        static func == (left: Cut, right: Cut) -> Bool {
            left.range == right.range && left.kind.description == right.kind.description
        }
    }

    private static let hexLimit = 32
    private static let keyLimit = 16
    private static let credentialLimit = 8
    private static let longCredential = 20

    let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var cuts: [Cut] = []

    init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    mutating func scan() -> [Cut] {
        while position < bytes.count {
            let byte = bytes[position]
            if take(pemEnd(), "pem") { continue }
            if let value = namedValue(afterSeparator: position) {
                cuts.append(Cut(range: value, kind: "credential"))
                position = value.upperBound
                continue
            }
            guard Self.isWord(byte) else {
                position += 1
                continue
            }
            scanWord()
        }
        return cuts
    }

    /// Scans one run of word characters, and the text that may follow it.
    private mutating func scanWord() {
        let start = position
        let end = runEnd(from: start, where: Self.isWord)
        if take(tokenEnd(from: start, wordEnd: end), "jwt") || take(keyEnd(from: start, wordEnd: end), "key") { return }
        if let credential = credentialRange(afterWord: start..<end) {
            cuts.append(Cut(range: credential, kind: "credential"))
            position = credential.upperBound
            return
        }
        cutHex(in: start..<end)
        position = end
    }

    private mutating func take(_ end: Int?, _ kind: StaticString) -> Bool {
        guard let end else { return false }
        cuts.append(Cut(range: position..<end, kind: kind))
        position = end
        return true
    }

    /// Cuts each run of many hexadecimal digits in a word, also in one such as `0x…` or `key_…`.
    private mutating func cutHex(in word: Range<Int>) {
        var start = word.lowerBound
        while start < word.upperBound {
            var end = start
            while end < word.upperBound, Self.isHex(bytes[end]) { end += 1 }
            if end - start >= Self.hexLimit { cuts.append(Cut(range: start..<end, kind: "hex")) }
            start = max(end, start + 1)
        }
    }

    /// `eyJ…` (the start of `{"` in base64url), a point, and one or two more parts.
    private func tokenEnd(from start: Int, wordEnd: Int) -> Int? {
        guard matches("eyJ", at: start), let second = nextPart(after: wordEnd) else { return nil }
        return nextPart(after: second)
            ?? (second < bytes.count && bytes[second] == UInt8(ascii: ".") ? second + 1 : second)
    }

    /// The end of a part of a token that follows a point.
    private func nextPart(after end: Int) -> Int? {
        guard end + 1 < bytes.count, bytes[end] == UInt8(ascii: "."), Self.isWord(bytes[end + 1]) else { return nil }
        return runEnd(from: end + 1, where: Self.isWord)
    }

    /// `sk-` or `sk_` and many more characters, a digit among them.
    private func keyEnd(from start: Int, wordEnd: Int) -> Int? {
        guard matches("sk-", at: start) || matches("sk_", at: start), wordEnd - start >= Self.keyLimit,
            bytes[start..<wordEnd].contains(where: Self.isDigit)
        else { return nil }
        return wordEnd
    }

    /// The credential after `Bearer` or `Basic`, unless it is an ordinary word.
    private func credentialRange(afterWord word: Range<Int>) -> Range<Int>? {
        guard isWord(word, "bearer") || isWord(word, "basic") else { return nil }
        var start = word.upperBound
        while start < bytes.count, Self.isGap(bytes[start]) { start += 1 }
        guard start > word.upperBound else { return nil }
        let end = runEnd(from: start, where: Self.isCredential)
        return looksSecret(start..<end) ? start..<end : nil
    }

    /// The value of a query item, form field, header field or JSON member with a secret's name, if its separator is
    /// here. A value in the form of a token or key is left to that form.
    private func namedValue(afterSeparator separator: Int) -> Range<Int>? {
        let isItem = bytes[separator] == UInt8(ascii: "=")
        guard isItem || bytes[separator] == UInt8(ascii: ":"), SecretNames.endsName(in: bytes, at: separator) else {
            return nil
        }
        var start = separator + 1
        // A sentence has words after a colon, so that only text unlike a word counts there.
        if !isItem { while start < bytes.count, Self.isGap(bytes[start]) { start += 1 } }
        guard !isOwnForm(at: start) else { return nil }
        let end = runEnd(from: start, where: isItem ? Self.isValue : Self.isCredential)
        return end > start && (isItem || looksSecret(start..<end)) ? start..<end : nil
    }

    private func isOwnForm(at start: Int) -> Bool {
        let end = runEnd(from: start, where: Self.isWord)
        return tokenEnd(from: start, wordEnd: end) != nil || keyEnd(from: start, wordEnd: end) != nil
    }

    /// True for a long value, or one with a digit: unlike an ordinary word.
    private func looksSecret(_ value: Range<Int>) -> Bool {
        value.count >= Self.longCredential
            || value.count >= Self.credentialLimit && bytes[value].contains(where: Self.isDigit)
    }

    /// The end of a PEM block that begins here: its last line, or the text's end if that is missing.
    private func pemEnd() -> Int? {
        guard beginsPEM(at: position) else { return nil }
        var next = position + 11
        while next < bytes.count {
            if bytes[next] == UInt8(ascii: "-"), matches("-----END ", at: next) {
                next += 9
                while next < bytes.count, bytes[next] != UInt8(ascii: "-"), bytes[next] != UInt8(ascii: "\n") {
                    next += 1
                }
                // At most five: the next block may begin right there.
                return next + bytes[next...].prefix(5).prefix { $0 == UInt8(ascii: "-") }.count
            }
            next += 1
        }
        return bytes.count
    }

    /// The end of a run of characters. A PEM block's dashes end it at any position.
    private func runEnd(from start: Int, where isInside: (UInt8) -> Bool) -> Int {
        var end = start
        while end < bytes.count, isInside(bytes[end]), !beginsPEM(at: end) { end += 1 }
        return end
    }

    private func beginsPEM(at start: Int) -> Bool {
        bytes[start] == UInt8(ascii: "-") && matches("-----BEGIN ", at: start)
    }

    private func matches(_ text: StaticString, at start: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard start + count <= bytes.count else { return false }
        return text.withUTF8Buffer { text in (0..<count).allSatisfy { bytes[start + $0] == text[$0] } }
    }

    /// True if a word is this one, in lower or upper case.
    private func isWord(_ word: Range<Int>, _ text: StaticString) -> Bool {
        guard word.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in
            (0..<word.count).allSatisfy { bytes[word.lowerBound + $0] | 0x20 == text[$0] }
        }
    }

    /// True for the alphabet of base64url and of most keys.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private static func isCredential(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): true
        default: isWord(byte)
        }
    }

    /// True for a byte of a query item's or form field's value.
    private static func isValue(_ byte: UInt8) -> Bool { byte > 0x20 && !"&#;,\"'<>)]}".utf8.contains(byte) }

    /// True for the characters between the name of a scheme and its credential, also in JSON and in quoted headers.
    private static func isGap(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "\""),
            UInt8(ascii: "'"):
            true
        default: false
        }
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
