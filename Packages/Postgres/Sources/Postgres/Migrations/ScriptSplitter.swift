// SPDX-License-Identifier: MIT

/// Splits a script into its statements, as psql does: at semicolons outside of quotes, dollar quotes, comments and
/// parentheses (PostgreSQL's manual, 4.1).
struct ScriptSplitter {
    private let bytes: [UInt8]
    private var position = 0
    private var statements: [String] = []
    private var start = 0
    private var depth = 0
    /// True once the statement has something else than spaces and comments.
    private var hasContent = false

    static func statements(of script: String) -> [String] {
        var splitter = ScriptSplitter(bytes: Array(script.utf8))
        splitter.run()
        return splitter.statements
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func run() {
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "-") where peek(1) == UInt8(ascii: "-"): skipLine()
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipComment()
            case UInt8(ascii: "'"):
                // In E'…', a backslash escapes a quote.
                let isEscaped =
                    position > start && bytes[position - 1] | 32 == UInt8(ascii: "e") && !isWord(position - 2)
                skipQuoted(byte, escapes: isEscaped)
            case UInt8(ascii: "\""): skipQuoted(byte, escapes: false)
            case UInt8(ascii: "$") where !isWord(position - 1): skipDollarQuoted()
            case UInt8(ascii: ";") where depth == 0:
                endStatement()
                position += 1
                start = position
            default:
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth = max(0, depth - 1) }
                if byte > 32 { hasContent = true }
                position += 1
            }
        }
        endStatement()
    }

    private mutating func endStatement() {
        if hasContent { statements.append(String(decoding: bytes[start..<min(position, bytes.count)], as: UTF8.self)) }
        (hasContent, depth) = (false, 0)
    }

    private func peek(_ distance: Int) -> UInt8? {
        bytes.indices.contains(position + distance) ? bytes[position + distance] : nil
    }

    /// True if a byte belongs to a word.
    private func isWord(_ index: Int) -> Bool {
        guard index >= start, index < bytes.count else { return false }
        let byte = bytes[index]
        return byte >= 128 || byte == 95 || byte == 36 || 48...57 ~= byte || 97...122 ~= byte | 32
    }

    private mutating func skipLine() {
        while position < bytes.count, bytes[position] != 10 { position += 1 }
    }

    private mutating func skipComment() {
        var nesting = 0
        repeat {
            if bytes[position] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                (nesting, position) = (nesting + 1, position + 2)
            } else if bytes[position] == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                (nesting, position) = (nesting - 1, position + 2)
            } else {
                position += 1
            }
        } while nesting > 0 && position < bytes.count
    }

    private mutating func skipQuoted(_ quote: UInt8, escapes: Bool) {
        hasContent = true
        position += 1
        while position < bytes.count, bytes[position] != quote {
            position += escapes && bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        // A doubled quote begins the next quoted text at once.
        position += 1
    }

    private mutating func skipDollarQuoted() {
        hasContent = true
        var end = position + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "$"), isWord(end) { end += 1 }
        let tag = bytes[position..<min(end + 1, bytes.count)]
        guard end < bytes.count, bytes[end] == UInt8(ascii: "$"), !(tag.count > 2 && 48...57 ~= bytes[position + 1])
        else {
            // A parameter such as $1, or a lonely dollar.
            position += 1
            return
        }
        position = end + 1
        while position < bytes.count, !bytes[position...].starts(with: tag) { position += 1 }
        position += tag.count
    }

    /// The first word of a statement in capital letters, after spaces and comments.
    static func firstWord(of statement: String) -> String {
        var splitter = ScriptSplitter(bytes: Array(statement.utf8))
        while splitter.position < splitter.bytes.count {
            if splitter.bytes[splitter.position] <= 32 {
                splitter.position += 1
            } else if splitter.bytes[splitter.position] == UInt8(ascii: "-"), splitter.peek(1) == UInt8(ascii: "-") {
                splitter.skipLine()
            } else if splitter.bytes[splitter.position] == UInt8(ascii: "/"), splitter.peek(1) == UInt8(ascii: "*") {
                splitter.skipComment()
            } else {
                break
            }
        }
        let word = splitter.bytes.dropFirst(splitter.position).prefix { 97...122 ~= $0 | 32 }
        return String(decoding: word, as: UTF8.self).uppercased()
    }
}
