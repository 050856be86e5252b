// SPDX-License-Identifier: MIT

/// A type whose values never show what they hold, whichever way they are printed.
///
/// `print`, interpolation, `String(reflecting:)`, `dump`, `Mirror` and a failed expectation of a test show its name.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// The type's name in angle brackets.
    public var description: String { "<\(Self.self)>" }

    /// The type's name in angle brackets.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
