// SPDX-License-Identifier: MIT

/// A record in systemd's native journal protocol (systemd.io/JOURNAL_NATIVE_PROTOCOL).
enum JournalEntry {
    /// Field names that a record sets itself or that have a meaning for another program.
    private static let reserved: Set<String> = [
        "MESSAGE", "MESSAGE_ID", "PRIORITY", "CODE_FILE", "CODE_LINE", "CODE_FUNC", "ERRNO", "INVOCATION_ID",
        "USER_INVOCATION_ID", "SYSLOG_FACILITY", "SYSLOG_IDENTIFIER", "SYSLOG_PID", "SYSLOG_TIMESTAMP", "SYSLOG_RAW",
        "DOCUMENTATION", "TID", "UNIT", "USER_UNIT", "PARLEY_CATEGORY",
    ]

    static func encoded(_ record: LogRecord, identifier: String, valueLimit: Int = .max) -> [UInt8] {
        var bytes: [UInt8] = []
        append("MESSAGE", cut(record.message.text, at: valueLimit), to: &bytes)
        append("PRIORITY", String(priority(of: record.level)), to: &bytes)
        append("SYSLOG_IDENTIFIER", identifier, to: &bytes)
        append("PARLEY_CATEGORY", record.category, to: &bytes)
        for (key, value) in record.metadata.sorted(by: { $0.key < $1.key }) {
            append(fieldName(for: key), cut(value.text, at: valueLimit), to: &bytes)
        }
        return bytes
    }

    /// A key in the form of the journal: `A–Z`, `0–9` and `_`, neither a digit nor `_` first, at most 64 bytes, and
    /// none of the reserved fields.
    static func fieldName(for key: String) -> String {
        var name = ""
        for scalar in key.uppercased().unicodeScalars {
            switch scalar {
            case "A"..."Z", "0"..."9": name.unicodeScalars.append(scalar)
            default: name += "_"
            }
        }
        let first = name.unicodeScalars.first ?? "_"
        if reserved.contains(name) || first == "_" || ("0"..."9").contains(first) { name = "PARLEY_" + name }
        return String(name.prefix(64))
    }

    /// Syslog's severity (RFC 5424 §6.2.1); the journal has no level below debug.
    static func priority(of level: LogLevel) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    private static func cut(_ text: String, at limit: Int) -> String {
        let rest = text.utf8.count - limit
        guard rest > 0 else { return text }
        // Decoding repairs a character that was cut.
        return String(decoding: text.utf8.prefix(limit), as: UTF8.self) + "… (\(rest) more bytes)"
    }

    private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
        bytes += name.utf8
        let value = Array(value.utf8)
        if value.contains(UInt8(ascii: "\n")) {
            // Only this form lets a value contain a newline; in the other it would start another field.
            bytes.append(UInt8(ascii: "\n"))
            withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes += $0 }
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes += value
        bytes.append(UInt8(ascii: "\n"))
    }
}
