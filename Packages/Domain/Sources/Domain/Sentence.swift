// SPDX-License-Identifier: MIT

/// An English sentence that keeps its inserted values apart, so that presentation can show it in another language (ADR 0081).
///
/// It is written as a string: `"\(path) cannot be read."` has the ``pattern`` `{a} cannot be read.`, which is the key of its
/// translations, and the path as its first value. Two sentences are equal if their English is.
public struct Sentence: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// An inserted value.
    public enum Value: Sendable {
        /// A text that is the same in each language.
        case text(String)
        /// A sentence, or a part of one, that is translated itself.
        case sentence(Sentence)
    }

    /// The plural of a sentence that depends on a number.
    public struct Plural: Sendable {
        /// The English plural with its placeholders.
        public let pattern: String
        /// The number that chooses the form.
        public let count: Int
        fileprivate let literals: [String]
    }

    /// The texts around the values: one more than there are values.
    private var literals: [String]
    /// The values in the order of the placeholders `{a}`, `{b}` …
    public private(set) var values: [Value]
    /// The plural; nil for a sentence that depends on no number.
    public let plural: Plural?
    /// The text of another package that is shown in English in the place of this sentence; nil for all others.
    public let original: String?

    private init(literals: [String], values: [Value], plural: Plural? = nil, original: String? = nil) {
        (self.literals, self.values, self.plural, self.original) = (literals, values, plural, original)
    }

    /// A sentence without values.
    public init(stringLiteral text: String) { self.init(literals: [text], values: []) }

    /// A sentence with values.
    public init(stringInterpolation text: StringInterpolation) {
        self.init(literals: text.literals, values: text.values)
    }

    /// A text that has no translation: of a server, a library or the system.
    public init(verbatim text: String) { self.init(literals: ["", ""], values: [.text(text)]) }

    /// A text of another package, which is English and may have details, with the sentence that other languages show in its
    /// place: a package that knows no languages reports an error by its code.
    public init(verbatim text: String, elsewhere sentence: Sentence) {
        self.init(
            literals: sentence.literals, values: sentence.values, plural: sentence.plural, original: text)
    }

    /// A sentence that depends on a number. Both forms have the same values in the same order.
    public init(one: Sentence, other: Sentence, count: Int) {
        self.init(
            literals: one.literals, values: other.values,
            plural: Plural(pattern: other.pattern, count: count, literals: other.literals))
    }

    /// English with a placeholder for each value, and `{{` and `}}` for braces: the key of the translations; the singular of a
    /// sentence that depends on a number.
    public var pattern: String {
        var pattern = ""
        for (index, literal) in literals.enumerated() {
            if index > 0 { pattern += "{\(Self.placeholder(index - 1))}" }
            for character in literal {
                pattern += character == "{" ? "{{" : character == "}" ? "}}" : String(character)
            }
        }
        return pattern
    }

    /// The text if it has no translation; nil for all others.
    public var verbatim: String? {
        guard literals == ["", ""], original == nil, case .text(let text)? = values.first else { return nil }
        return text
    }

    /// The sentence in English.
    public var english: String {
        if let original { return original }
        let literals = plural.map { abs($0.count) == 1 ? self.literals : $0.literals } ?? literals
        return literals.indices.reduce(into: "") { text, index in
            if index > 0, index <= values.count { text += values[index - 1].english }
            text += literals[index]
        }
    }

    /// The sentence in English.
    public var description: String { english }

    /// The name of a placeholder: a letter. A sentence has 26 values at most.
    public static func placeholder(_ index: Int) -> String { String(UnicodeScalar(UInt8(ascii: "a") + UInt8(index))) }

    /// Two pieces of one sentence, neither of which depends on a number; their pattern is one.
    public static func + (start: Sentence, end: Sentence) -> Sentence {
        var literals = start.literals
        literals[literals.count - 1] += end.literals[0]
        return Sentence(literals: literals + end.literals.dropFirst(), values: start.values + end.values)
    }

    /// Collects the pieces of a literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var literals = [""]
        fileprivate var values: [Value] = []

        /// An empty sentence.
        public init(literalCapacity: Int, interpolationCount: Int) {}
        /// Adds text.
        public mutating func appendLiteral(_ text: String) { literals[literals.count - 1] += text }
        /// Adds a value that is translated itself.
        public mutating func appendInterpolation(_ value: Sentence) { append(.sentence(value)) }
        /// Adds a value that is the same in each language.
        public mutating func appendInterpolation<Text>(_ value: Text) { append(.text("\(value)")) }

        private mutating func append(_ value: Value) {
            values.append(value)
            literals.append("")
        }
    }
}

extension Sentence: Hashable {
    /// True if the English of both is the same.
    public static func == (one: Sentence, other: Sentence) -> Bool { one.english == other.english }
    /// Hashes the English text.
    public func hash(into hasher: inout Hasher) { hasher.combine(english) }
}

extension Sentence.Value {
    fileprivate var english: String {
        switch self {
        case .text(let text): text
        case .sentence(let sentence): sentence.english
        }
    }
}
