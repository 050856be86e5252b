// SPDX-License-Identifier: MIT

extension LogMessage {
    /// Builds the redacted text and, from the first private value on, the whole text beside it.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var redacted: String
        var revealed: String?

        /// Starts an empty message.
        public init(literalCapacity: Int, interpolationCount: Int) {
            redacted = ""
            redacted.reserveCapacity(literalCapacity + interpolationCount * 12)
        }

        /// Adds a part of the source text, which is never private.
        public mutating func appendLiteral(_ literal: String) {
            append(redacted: literal, revealed: literal)
        }

        /// Adds a value: private unless `privacy` says otherwise, whatever its type.
        public mutating func appendInterpolation<Value>(_ value: Value, privacy: LogPrivacy = .private) {
            let text = String(describing: value)
            if privacy.isPublic {
                append(redacted: text, revealed: text)
            } else {
                // The part before this value was the same in both texts until now.
                revealed = revealed ?? redacted
                append(redacted: privacy.placeholder(for: text), revealed: text)
            }
        }

        /// Adds another message; its values keep their own privacy.
        public mutating func appendInterpolation(_ message: LogMessage) {
            if message.revealed != nil { revealed = revealed ?? redacted }
            append(redacted: message.redacted, revealed: message.text)
        }

        private mutating func append(redacted hidden: String, revealed shown: String) {
            redacted += hidden
            revealed?.append(shown)
        }
    }
}
