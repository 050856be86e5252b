// SPDX-License-Identifier: MIT

import StructuredJSON

/// A request for an answer in JSON: its text, and what the model says about it in fields beside the text.
struct AnswerFields: Sendable {
    /// The member that has the text.
    static let text = "answer"

    /// The form for the API: every member is required, so that strict mode takes it.
    let format: TextFormat

    /// - Parameter fields: The schemas of the fields by their names.
    init(_ fields: JSONObject) {
        var properties: JSONObject = [
            Self.text: ["type": "string", "description": "The answer, as the person reads it."]
        ]
        properties.add(fields)
        let names = properties.names.map(JSONValue.string)
        format = .jsonSchema(
            name: "answer",
            schema: [
                "type": "object", "properties": .object(properties), "required": .array(names),
                "additionalProperties": false,
            ], isStrict: true)
    }

    /// The text and the fields of a whole answer. One that is cut off has the text that was read and no fields, and so has text
    /// that is no such object.
    static func parts(of whole: String, read: String) -> (text: String, fields: JSONValue?) {
        guard var object = (try? JSONValue(parsing: whole))?.object, let text = object[Self.text]?.string else {
            return (read.isEmpty ? whole : read, nil)
        }
        object[Self.text] = nil
        return (text, .object(object))
    }
}

/// Reads the text out of such an answer while it arrives.
struct AnswerTextReader {
    private enum Place {
        case start
        /// Text that is no object.
        case plain
        /// Between strings of the object.
        case between
        /// In a string; true for the one whose text is wanted.
        case string(isWanted: Bool)
        /// Behind a backslash in a string.
        case escape(isWanted: Bool)
        /// In the four digits of an escape.
        case digits(String, isWanted: Bool)
    }

    private var place = Place.start
    private var depth = 0
    /// The last string at the top level: a name, as long as no colon has come.
    private var name = ""
    private var isValue = false
    private var highSurrogate: UInt32?
    /// The text so far.
    private(set) var text = ""

    /// Takes the next piece, and returns the text in it.
    mutating func feed(_ piece: String) -> String {
        var new = String.UnicodeScalarView()
        for scalar in piece.unicodeScalars { feed(scalar, &new) }
        text.unicodeScalars += new
        return String(new)
    }

    private mutating func feed(_ scalar: Unicode.Scalar, _ text: inout String.UnicodeScalarView) {
        if highSurrogate != nil { endSurrogate(before: scalar, &text) }
        switch place {
        case .start:
            guard !scalar.properties.isWhitespace else { return }
            place = scalar == "{" ? .between : .plain
            if scalar == "{" { depth = 1 } else { text.append(scalar) }
        case .plain: text.append(scalar)
        case .between: between(scalar)
        case .string(let isWanted):
            switch scalar {
            case "\"": place = .between
            case "\\": place = .escape(isWanted: isWanted)
            default: add(scalar, isWanted, &text)
            }
        case .escape(let isWanted):
            guard scalar != "u" else { return place = .digits("", isWanted: isWanted) }
            place = .string(isWanted: isWanted)
            add(Self.escapes[scalar] ?? scalar, isWanted, &text)
        case .digits(let digits, let isWanted):
            let digits = digits + String(scalar)
            guard digits.unicodeScalars.count == 4 else { return place = .digits(digits, isWanted: isWanted) }
            place = .string(isWanted: isWanted)
            if let scalar = unit(UInt32(digits, radix: 16) ?? 0xFFFD) { add(scalar, isWanted, &text) }
        }
    }

    private mutating func between(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "{", "[": depth += 1
        case "}", "]": depth -= 1
        case ":": isValue = isValue || depth == 1
        case ",": if depth == 1 { (isValue, name) = (false, "") }
        case "\"": place = .string(isWanted: depth == 1 && isValue && name == AnswerFields.text)
        default: break
        }
    }

    private mutating func add(_ scalar: Unicode.Scalar, _ isWanted: Bool, _ text: inout String.UnicodeScalarView) {
        if isWanted { text.append(scalar) } else if depth == 1, !isValue { name.unicodeScalars.append(scalar) }
    }

    /// The scalar that a UTF-16 unit completes; nil for the first half of one. The replacement character stands for a surrogate
    /// without its other half.
    private mutating func unit(_ unit: UInt32) -> Unicode.Scalar? {
        defer { highSurrogate = 0xD800..<0xDC00 ~= unit ? unit : nil }
        guard 0xD800..<0xE000 ~= unit else { return Unicode.Scalar(unit) }
        guard unit >= 0xDC00 else { return nil }
        return highSurrogate.flatMap { Unicode.Scalar(0x10000 + (($0 - 0xD800) << 10) + (unit - 0xDC00)) } ?? "\u{FFFD}"
    }

    /// Gives up the other half of a surrogate where no escape follows, or another unit's.
    private mutating func endSurrogate(before scalar: Unicode.Scalar, _ text: inout String.UnicodeScalarView) {
        switch place {
        case .string where scalar == "\\", .escape where scalar == "u": return
        case .digits(let digits, _) where digits.unicodeScalars.count < 3: return
        case .digits(let digits, _):
            let unit = UInt32(digits + String(scalar), radix: 16) ?? 0
            if 0xDC00..<0xE000 ~= unit { return }
        default: break
        }
        highSurrogate = nil
        let isWanted =
            switch place {
            case .string(let isWanted), .escape(let isWanted), .digits(_, let isWanted): isWanted
            case .start, .plain, .between: false
            }
        add("\u{FFFD}", isWanted, &text)
    }

    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
    ]
}
