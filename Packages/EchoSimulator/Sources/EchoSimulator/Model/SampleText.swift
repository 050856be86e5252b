// SPDX-License-Identifier: MIT

import StructuredJSON

/// A string within a schema's bounds: of its format or pattern, else a word of the message, else the property's name.
struct SampleText {
    let schema: JSONValue
    let name: String

    private static let formats = [
        "date-time": "2026-01-02T03:04:05Z", "date": "2026-01-02", "time": "03:04:05Z", "duration": "P1DT2H",
        "email": "ada@example.org", "hostname": "example.org", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
        "uuid": "123e4567-e89b-42d3-a456-426614174000", "uri": "https://example.org/", "regex": "a+",
    ]

    func text(_ words: inout SampleWords) -> String {
        if let pattern = schema["pattern"]?.string, let text = PatternSample.text(for: pattern) { return text }
        if let format = schema["format"]?.string, let text = Self.formats[format] { return text }
        var text = words.next() ?? name
        if let least = schema["minLength"]?.integer, least < 1 << 20 {
            while text.unicodeScalars.count < least { text += "x" }
        }
        if let most = schema["maxLength"]?.integer, text.unicodeScalars.count > most {
            text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(max(0, most))))
        }
        return text
    }
}

/// The parts of a message that can serve as arguments: quoted texts, names, numbers.
struct SampleWords {
    private let message: String
    private var texts: [String]
    private var numbers: [Double]

    init(_ message: String) {
        self.message = message.lowercased()
        let words = message.split { $0.isWhitespace || $0 == "," }.map { word in
            String(
                word.drop { !$0.isLetter && !$0.isNumber }.reversed().drop { !$0.isLetter && !$0.isNumber }.reversed())
        }
        let quoted = message.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 && !$0.element.isEmpty }.map { String($0.element) }
        let names = words.dropFirst().filter { $0.first?.isUppercase ?? false }
        texts = quoted.isEmpty ? Array(names) : quoted
        numbers = words.compactMap(Double.init).filter(\.isFinite)
    }

    /// The next text, if there is one.
    mutating func next() -> String? { texts.isEmpty ? nil : texts.removeFirst() }

    /// The next number, if there is one.
    mutating func number() -> Double? { numbers.isEmpty ? nil : numbers.removeFirst() }

    func mentions(_ word: String) -> Bool { !word.isEmpty && message.contains(word.lowercased()) }
}

/// A number within a schema's bounds, the wished one if it lies within them.
struct SampleNumber {
    private let least: Double
    private let most: Double
    private let step: Double?

    init(_ schema: JSONValue) {
        let isWhole = schema["type"]?.string == "integer"
        let step = schema["multipleOf"]?.double ?? (isWhole ? 1 : nil)
        self.step = step
        let edge = step ?? 0.5
        var (least, most) = (schema["minimum"]?.double ?? -1e15, schema["maximum"]?.double ?? 1e15)
        if let above = schema["exclusiveMinimum"]?.double { least = max(least, above + edge) }
        if let below = schema["exclusiveMaximum"]?.double { most = min(most, below - edge) }
        if least > most, let above = schema["exclusiveMinimum"]?.double, let below = schema["exclusiveMaximum"]?.double
        {
            (least, most) = ((above + below) / 2, (above + below) / 2)
        }
        (self.least, self.most) = (least, most)
    }

    func integer(_ wish: Double?) -> Int { Int(exactly: value(wish).rounded()) ?? 0 }

    func number(_ wish: Double?) -> JSONValue {
        let value = value(wish)
        return Int(exactly: value).map(JSONValue.integer) ?? .double(value)
    }

    private func value(_ wish: Double?) -> Double {
        let wished = max(least, min(most, wish ?? 1))
        guard let step, step > 0 else { return wished }
        let up = (wished / step).rounded(.up) * step
        return up <= most ? up : (most / step).rounded(.down) * step
    }
}
