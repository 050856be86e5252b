// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A record as one line of JSON (RFC 8259): `time`, `level`, `category`, `message` and, if there is metadata, `fields`.
enum JSONLogLine {
    /// The bytes of the time, which is always the first.
    static let timeRange = 9..<33

    private struct Fields: Decodable {
        let time: String
        let level: String
        let category: String
        let message: String
        let fields: [String: String]?
    }

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

    /// The record of a line; nil if it is none. What a line says was cleaned when it was written, so nothing of it is private.
    static func record(of line: Data) -> LogRecord? {
        guard let found = try? JSONDecoder().decode(Fields.self, from: line), let time = LogLine.time(found.time),
            let level = LogLevel(found.level)
        else { return nil }
        return LogRecord(
            time: time, level: level, category: found.category, message: LogMessage(stringLiteral: found.message),
            metadata: (found.fields ?? [:]).mapValues(LogMessage.init(stringLiteral:)))
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
