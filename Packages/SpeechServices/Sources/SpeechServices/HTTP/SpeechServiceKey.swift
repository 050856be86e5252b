// SPDX-License-Identifier: MIT

/// A key that is shown only to the service: descriptions, mirrors and dumps of it say `<redacted>`.
public struct SpeechServiceKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text that replaces a key.
    public static let mark = "<redacted>"

    /// The key itself, for the header.
    let value: String

    /// Makes a key; white space around it, which a copied key often has, is removed.
    public init(_ value: String) {
        let text = value.drop(while: \.isWhitespace)
        let end = text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? text.startIndex
        self.value = String(text[..<end])
    }

    /// The mark.
    public var description: String { Self.mark }
    /// The mark.
    public var debugDescription: String { Self.mark }
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// The text without this key, and without what looks like one: services repeat wrong keys in their errors.
    func redact(_ text: String) -> String {
        var text = text
        if value.utf8.count >= 4 { text = text.replacing(value, with: Self.mark) }
        return Self.redactLookalikes(text)
    }

    static func redactLookalikes(_ text: String) -> String {
        text.replacing(/\b(sk|pk|xi|sess|ek)[-_][A-Za-z0-9_*.\-]{3,}/, with: mark)
    }
}
