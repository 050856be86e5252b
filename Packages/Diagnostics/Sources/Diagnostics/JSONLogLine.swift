// SPDX-License-Identifier: MIT

/// A record as one line of JSON (RFC 8259): `time`, `level`, `category`, `message` and, if there is metadata, `fields`.
enum JSONLogLine {
    static func text(of record: LogRecord) -> String {
        var line = "{\"time\":\"" + LogLine.timestamp(record.time) + "\",\"level\":\"\(record.level)\""
        line += ",\"category\":" + quoted(record.category) + ",\"message\":" + quoted(record.message.text)
        if !record.metadata.isEmpty {
            let members = record.metadata.sorted { $0.key < $1.key }
                .map { key, value in quoted(key) + ":" + quoted(value.text) }
            line += ",\"fields\":{" + members.joined(separator: ",") + "}"
        }
        return line + "}"
    }

    /// A string of JSON without control characters, line separators and bidirectional overrides.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case let scalar where LogText.needsEscape(scalar):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
