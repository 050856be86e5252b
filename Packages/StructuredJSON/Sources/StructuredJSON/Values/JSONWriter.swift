// SPDX-License-Identifier: MIT

/// Writes JSON values in UTF-8 without white space.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private let sortsNames: Bool

    init(sortsNames: Bool = false) { self.sortsNames = sortsNames }

    mutating func append(_ value: JSONValue) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        // An integer beyond Int keeps its digits, so that a reader of UInt64 has the same.
        case .double(let value) where value >= 0x1p63 && UInt64(exactly: value) != nil:
            bytes += String(UInt64(value)).utf8
        // As ECMAScript's JSON.stringify does.
        case .double(let value): bytes += (value.isFinite ? String(value) : "null").utf8
        case .string(let value): append(value)
        case .array(let values): append(values)
        case .object(let object): append(object)
        }
    }

    private mutating func append(_ values: [JSONValue]) {
        bytes.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(value)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func append(_ object: JSONObject) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for (name, value) in members(of: object) {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            append(name)
            bytes.append(UInt8(ascii: ":"))
            append(value)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private func members(of object: JSONObject) -> [(name: String, value: JSONValue)] {
        let members = Array(object)
        guard sortsNames else { return members }
        return members.sorted { $0.name.utf16.lexicographicallyPrecedes($1.name.utf16) }
    }

    private mutating func append(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x0A: bytes += "\\n".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0x09: bytes += "\\t".utf8
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                bytes += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
