// SPDX-License-Identifier: MIT

/// A file of a mail with placeholders, such as `{{link}}`. What stands between `{{#code}}` and `{{/code}}` is left out of
/// a mail that has no code.
struct MailTemplate: Sendable, Hashable {
    /// A placeholder.
    enum Name: String, Sendable, Hashable, CaseIterable {
        case link, code, minutes
        case codeMinutes = "code_minutes"
        case address, server
    }

    /// A mistake: the line, from 1 on, and the reason.
    struct Mistake: Error, Hashable {
        let line: Int
        let reason: String
    }

    private enum Piece: Sendable, Hashable {
        case literal(String)
        case value(Name, isCode: Bool)
        case codeLiteral(String)
    }

    private let pieces: [Piece]
    /// The placeholders in it.
    let names: Set<Name>

    /// Reads a template strictly: whatever stands in double braces is a placeholder that exists.
    init(_ text: String) throws(Mistake) {
        var (pieces, names) = ([Piece](), Set<Name>())
        var (line, openedAt) = (1, Int?.none)
        var rest = text[...]
        func literal(_ text: Substring) {
            line += text.utf8.count { $0 == UInt8(ascii: "\n") }
            if !text.isEmpty { pieces.append(openedAt == nil ? .literal(String(text)) : .codeLiteral(String(text))) }
        }
        while let start = rest.firstRange(of: "{{") {
            literal(rest[..<start.lowerBound])
            guard let end = rest[start.upperBound...].firstRange(of: "}}") else {
                throw Mistake(line: line, reason: "{{ has no }}.")
            }
            let word = String(rest[start.upperBound..<end.lowerBound])
            rest = rest[end.upperBound...]
            switch word {
            case "#code":
                guard openedAt == nil else { throw Mistake(line: line, reason: "{{#code}} stands within {{#code}}.") }
                openedAt = line
            case "/code":
                guard openedAt != nil else {
                    throw Mistake(line: line, reason: "{{/code}} has no {{#code}} before it.")
                }
                openedAt = nil
            default:
                guard let name = Name(rawValue: word) else {
                    let known = Name.allCases.map(\.rawValue).joined(separator: ", ")
                    throw Mistake(
                        line: line, reason: "This placeholder does not exist; there are \(known), #code, /code.")
                }
                guard openedAt != nil || (name != .code && name != .codeMinutes) else {
                    throw Mistake(
                        line: line,
                        reason: "{{\(word)}} stands outside {{#code}} … {{/code}}: some mails have a link only.")
                }
                names.insert(name)
                pieces.append(.value(name, isCode: openedAt != nil))
            }
        }
        literal(rest)
        if let openedAt { throw Mistake(line: openedAt, reason: "{{#code}} has no {{/code}}.") }
        (self.pieces, self.names) = (pieces, names)
    }

    /// The text with the values of a mail.
    ///
    /// - Parameters:
    ///   - values: The values; a mail without a code has none for it.
    ///   - escape: Escapes a value.
    func text(_ values: [Name: String], escape: (String) -> String = { $0 }) -> String {
        let hasCode = values[.code] != nil
        return pieces.reduce(into: "") { text, piece in
            switch piece {
            case .literal(let literal): text += literal
            case .codeLiteral(let literal): if hasCode { text += literal }
            case .value(let name, let isCode): if hasCode || !isCode { text += escape(values[name] ?? "") }
            }
        }
    }
}
