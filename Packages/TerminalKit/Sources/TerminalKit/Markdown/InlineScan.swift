// SPDX-License-Identifier: MIT

/// Finds the meaning of the beginning of a piece of a line.
struct InlineScan {
    /// The meaning of the beginning.
    enum Step: Equatable {
        /// The meaning of this number of scalars.
        case take(Int, [StyledScalar])
        /// The meaning depends on scalars that have not arrived.
        case wait
    }

    private enum Search {
        case found(Int)
        case none
        case wait
    }

    /// The piece; not empty.
    let text: ArraySlice<Unicode.Scalar>
    /// True if nothing that follows counts.
    let isEnd: Bool
    let previous: Unicode.Scalar?
    let style: TextStyle

    /// The meaning of the first scalars of the text.
    func next() -> Step {
        guard let first = text.first else { return .wait }
        switch first {
        case "\\": return escape()
        case "`": return code()
        case "*", "_", "~": return emphasis(first)
        case "[": return link(from: text.startIndex)
        case "!":
            if text.count == 1 { return isEnd ? literal(1) : .wait }
            return text[text.startIndex + 1] == "[" ? link(from: text.startIndex + 1) : literal(1)
        default: return literal(1)
        }
    }

    private func literal(_ count: Int) -> Step {
        .take(count, text.prefix(count).map { StyledScalar(scalar: $0, style: style) })
    }

    private func escape() -> Step {
        guard text.count > 1 else { return isEnd ? literal(1) : .wait }
        let escaped = text[text.startIndex + 1]
        guard Self.isPunctuation(escaped), escaped.isASCII else { return literal(1) }
        return .take(2, [StyledScalar(scalar: escaped, style: style)])
    }

    private func code() -> Step {
        let count = runLength(at: text.startIndex)
        switch codeEnd(from: text.startIndex, count) {
        case .wait: return .wait
        case .none: return literal(count)
        case .found(let end):
            var content = text[(text.startIndex + count)..<end]
            if content.count > 2, content.first == " ", content.last == " ", content.contains(where: { $0 != " " }) {
                content = content.dropFirst().dropLast()
            }
            return .take(
                end - text.startIndex + count,
                content.map { StyledScalar(scalar: $0, style: style.union(.code)) })
        }
    }

    /// The place of the backticks that close those at `start`.
    private func codeEnd(from start: Int, _ count: Int) -> Search {
        if start + count == text.endIndex { return isEnd ? .none : .wait }
        var index = start + count
        while index < text.endIndex {
            guard text[index] == "`" else {
                index += 1
                continue
            }
            let run = runLength(at: index)
            if index + run == text.endIndex, !isEnd { return .wait }
            if run == count { return .found(index) }
            index += run
        }
        return isEnd ? .none : .wait
    }

    private func emphasis(_ mark: Unicode.Scalar) -> Step {
        let count = runLength(at: text.startIndex)
        guard text.startIndex + count < text.endIndex else { return isEnd ? literal(count) : .wait }
        guard mark == "~" ? count == 2 : count <= 3, canOpen(mark, text[text.startIndex + count]) else {
            return literal(count)
        }
        switch emphasisEnd(mark, count) {
        case .wait: return .wait
        case .none: return literal(count)
        case .found(let end):
            let added: TextStyle =
                mark == "~" ? .struck : count == 1 ? .italic : count == 2 ? .bold : [.bold, .italic]
            let content = InlineMarkdown.styled(text[(text.startIndex + count)..<end], style.union(added))
            return .take(end - text.startIndex + count, content)
        }
    }

    private func canOpen(_ mark: Unicode.Scalar, _ next: Unicode.Scalar) -> Bool {
        if next.properties.isWhitespace { return false }
        guard let previous else { return true }
        if mark == "_", Self.isWord(previous) { return false }
        return !Self.isPunctuation(next) || !Self.isWord(previous)
    }

    /// The place of the marks that close those at the beginning.
    private func emphasisEnd(_ mark: Unicode.Scalar, _ count: Int) -> Search {
        var index = text.startIndex + count
        while index < text.endIndex {
            switch text[index] {
            case "\\": index += 2
            case "`":
                let run = runLength(at: index)
                switch codeEnd(from: index, run) {
                case .wait: return .wait
                case .none: index += run
                case .found(let end): index = end + run
                }
            case mark:
                let run = runLength(at: index)
                let after = index + run
                if after >= text.endIndex, !isEnd { return .wait }
                let next = after < text.endIndex ? text[after] : nil
                let closes =
                    !text[index - 1].properties.isWhitespace && (mark != "_" || next.map(Self.isWord) != true)
                if closes, run == count { return .found(index) }
                // One run also closes the marks within: **bold and *both***.
                if closes, run == 3, mark != "~" { return .found(index + run - count) }
                index = after
            default: index += 1
            }
        }
        return isEnd ? .none : .wait
    }

    /// `[words](address)`, or a picture's `![words](address)`.
    private func link(from bracket: Int) -> Step {
        switch closing("[", "]", from: bracket) {
        case .wait: return .wait
        case .none: return literal(1)
        case .found(let end):
            guard end + 1 < text.endIndex else { return isEnd ? literal(1) : .wait }
            guard text[end + 1] == "(" else { return literal(1) }
            switch closing("(", ")", from: end + 1) {
            case .wait: return .wait
            case .none: return literal(1)
            case .found(let close):
                let words = text[(bracket + 1)..<end]
                let address = text[(end + 2)..<close].prefix { !$0.properties.isWhitespace }
                var result = InlineMarkdown.styled(words, style.union(.underlined))
                if !address.isEmpty, !words.elementsEqual(address) {
                    if !words.isEmpty { result.append(StyledScalar(scalar: " ", style: style)) }
                    let shown: [Unicode.Scalar] = words.isEmpty ? Array(address) : ["("] + address + [")"]
                    result += shown.map { StyledScalar(scalar: $0, style: style.union(.dim)) }
                }
                return .take(close + 1 - text.startIndex, result)
            }
        }
    }

    private func closing(_ open: Unicode.Scalar, _ close: Unicode.Scalar, from start: Int) -> Search {
        var depth = 0
        var index = start
        while index < text.endIndex {
            switch text[index] {
            case "\\": index += 1
            case open: depth += 1
            case close:
                depth -= 1
                if depth == 0 { return .found(index) }
            default: break
            }
            index += 1
        }
        return isEnd ? .none : .wait
    }

    private func runLength(at start: Int) -> Int {
        text[start...].prefix { $0 == text[start] }.count
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
            true
        default: false
        }
    }
}
