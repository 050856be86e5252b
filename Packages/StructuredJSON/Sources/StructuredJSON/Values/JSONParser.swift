// SPDX-License-Identifier: MIT

/// Reads one JSON text (RFC 8259) into a ``JSONValue``, strictly, in one pass.
///
/// A `\u` escape of half a surrogate pair becomes U+FFFD, since a streaming model may be cut off within a character;
/// any other violation of the standard is an error.
struct JSONParser {
    private let maximumDepth: Int
    private var offset = 0

    init(maximumDepth: Int) { self.maximumDepth = maximumDepth }

    /// The one value in the bytes, with white space around it.
    mutating func document(_ bytes: Span<UInt8>) throws(JSONParsingError) -> JSONValue {
        let result = try value(bytes, depth: 0)
        skipSpace(bytes)
        guard offset == bytes.count else { throw JSONParsingError(.trailingBytes, at: offset) }
        return result
    }

    private mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(JSONParsingError) -> JSONValue {
        guard depth <= maximumDepth else { throw JSONParsingError(.tooDeep, at: offset) }
        skipSpace(bytes)
        switch try peek(bytes) {
        case UInt8(ascii: "\""): return .string(try string(bytes))
        case UInt8(ascii: "{"): return .object(try object(bytes, depth: depth))
        case UInt8(ascii: "["): return .array(try array(bytes, depth: depth))
        case UInt8(ascii: "t"): return try word(bytes, "true", .bool(true))
        case UInt8(ascii: "f"): return try word(bytes, "false", .bool(false))
        case UInt8(ascii: "n"): return try word(bytes, "null", .null)
        default: return try number(bytes)
        }
    }

    private mutating func object(_ bytes: Span<UInt8>, depth: Int) throws(JSONParsingError) -> JSONObject {
        offset += 1
        var object = JSONObject()
        skipSpace(bytes)
        if try take(bytes, UInt8(ascii: "}")) { return object }
        while true {
            skipSpace(bytes)
            guard try peek(bytes) == UInt8(ascii: "\"") else { throw unexpected(bytes, "a quoted name") }
            let name = try string(bytes)
            skipSpace(bytes)
            guard try take(bytes, UInt8(ascii: ":")) else { throw unexpected(bytes, "a colon") }
            object[name] = try value(bytes, depth: depth + 1)
            skipSpace(bytes)
            if try take(bytes, UInt8(ascii: ",")) { continue }
            guard try take(bytes, UInt8(ascii: "}")) else { throw unexpected(bytes, "a comma or }") }
            return object
        }
    }

    private mutating func array(_ bytes: Span<UInt8>, depth: Int) throws(JSONParsingError) -> [JSONValue] {
        offset += 1
        var elements: [JSONValue] = []
        skipSpace(bytes)
        if try take(bytes, UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try value(bytes, depth: depth + 1))
            skipSpace(bytes)
            if try take(bytes, UInt8(ascii: ",")) { continue }
            guard try take(bytes, UInt8(ascii: "]")) else { throw unexpected(bytes, "a comma or ]") }
            return elements
        }
    }

    private mutating func word(_ bytes: Span<UInt8>, _ word: StaticString, _ value: JSONValue) throws(JSONParsingError)
        -> JSONValue
    {
        for index in 0..<word.utf8CodeUnitCount {
            guard try peek(bytes) == word.utf8Start[index] else { throw unexpected(bytes, "true, false or null") }
            offset += 1
        }
        return value
    }

    private mutating func string(_ bytes: Span<UInt8>) throws(JSONParsingError) -> String {
        offset += 1
        let start = offset
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                let text = try utf8(bytes, start..<offset)
                offset += 1
                return text
            case UInt8(ascii: "\\"): return try escapedString(bytes, from: start)
            case 0..<0x20: throw JSONParsingError(.invalidString, at: offset)
            default: offset += 1
            }
        }
        throw JSONParsingError(.endOfInput, at: offset)
    }

    private func utf8(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(JSONParsingError) -> String {
        do { return String(copying: try UTF8Span(validating: bytes.extracting(range))) } catch {
            throw JSONParsingError(.invalidString, at: range.lowerBound)
        }
    }

    /// A string with escapes: copied piece by piece. `offset` is at the first backslash.
    private mutating func escapedString(_ bytes: Span<UInt8>, from start: Int) throws(JSONParsingError) -> String {
        var text = try utf8(bytes, start..<offset)
        var piece = offset
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                text += try utf8(bytes, piece..<offset)
                offset += 1
                return text
            case UInt8(ascii: "\\"):
                text += try utf8(bytes, piece..<offset)
                offset += 1
                text.unicodeScalars.append(try escape(bytes))
                piece = offset
            case 0..<0x20: throw JSONParsingError(.invalidString, at: offset)
            default: offset += 1
            }
        }
        throw JSONParsingError(.endOfInput, at: offset)
    }

    private mutating func escape(_ bytes: Span<UInt8>) throws(JSONParsingError) -> Unicode.Scalar {
        let letter = try peek(bytes)
        offset += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(bytes)
        default: throw JSONParsingError(.invalidString, at: offset - 1)
        }
    }

    private mutating func unicodeEscape(_ bytes: Span<UInt8>) throws(JSONParsingError) -> Unicode.Scalar {
        let unit = try fourDigits(bytes)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
            bytes[offset + 1] == UInt8(ascii: "u")
        else { return "\u{FFFD}" }
        let afterHigh = offset
        offset += 2
        let low = try fourDigits(bytes)
        guard (0xDC00...0xDFFF).contains(low) else {
            offset = afterHigh
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func fourDigits(_ bytes: Span<UInt8>) throws(JSONParsingError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(try peek(bytes))).hexDigitValue else {
                throw JSONParsingError(.invalidString, at: offset)
            }
            unit = unit << 4 | UInt32(digit)
            offset += 1
        }
        return unit
    }

    private mutating func number(_ bytes: Span<UInt8>) throws(JSONParsingError) -> JSONValue {
        let start = offset
        if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        let whole = digits(bytes)
        guard whole > 0 else {
            throw offset < bytes.count
                ? unexpected(bytes, offset > start ? "a digit" : "a value") : JSONParsingError(.endOfInput, at: offset)
        }
        guard whole == 1 || bytes[offset - whole] != UInt8(ascii: "0") else {
            throw JSONParsingError(.invalidNumber, at: start)
        }
        var isWhole = true
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            offset += 1
            isWhole = false
            guard digits(bytes) > 0 else { throw JSONParsingError(.invalidNumber, at: start) }
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            isWhole = false
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") {
                offset += 1
            }
            guard digits(bytes) > 0 else { throw JSONParsingError(.invalidNumber, at: start) }
        }
        if isWhole, let integer = integer(bytes, start..<offset) { return .integer(integer) }
        guard let double = Double(try utf8(bytes, start..<offset)), double.isFinite else {
            throw JSONParsingError(.invalidNumber, at: start)
        }
        return .double(double)
    }

    /// The value of an integer; nil if it does not fit, and for -0, which is not an integer.
    private func integer(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
        var result = 0
        for index in range.lowerBound + (isNegative ? 1 : 0)..<range.upperBound {
            let digit = Int(bytes[index] - UInt8(ascii: "0"))
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            let (sum, carry) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            guard !overflow, !carry else { return nil }
            result = sum
        }
        return isNegative && result == 0 ? nil : result
    }

    private mutating func digits(_ bytes: Span<UInt8>) -> Int {
        let start = offset
        while offset < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) { offset += 1 }
        return offset - start
    }

    private mutating func skipSpace(_ bytes: Span<UInt8>) {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    private func peek(_ bytes: Span<UInt8>) throws(JSONParsingError) -> UInt8 {
        guard offset < bytes.count else { throw JSONParsingError(.endOfInput, at: offset) }
        return bytes[offset]
    }

    private mutating func take(_ bytes: Span<UInt8>, _ byte: UInt8) throws(JSONParsingError) -> Bool {
        guard try peek(bytes) == byte else { return false }
        offset += 1
        return true
    }

    private func unexpected(_ bytes: Span<UInt8>, _ expected: String) -> JSONParsingError {
        JSONParsingError(.unexpectedByte(bytes[offset]), at: offset, expected: expected)
    }
}
