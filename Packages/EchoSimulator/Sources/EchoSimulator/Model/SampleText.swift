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
