// SPDX-License-Identifier: MIT

import Glibc

/// A value that can be passed around but not shown: ``withExposed(_:)`` is the only way to it.
///
/// Interpolation, `print`, `String(reflecting:)`, `dump`, `Mirror`, errors and logs get `<Sensitive<…>>`; it is not
/// `Codable`. The bytes of a `Sensitive<[UInt8]>` are overwritten when the last copy of it is released. Text cannot be:
/// keep secrets as bytes, and make a `String` of them only inside ``withExposed(_:)``.
public struct Sensitive<Value: Sendable>: Sendable, Redacted {
    // SAFETY: the value is changed in `deinit` only, when nobody refers to the box any more.
    private final class Box: @unchecked Sendable {
        private var value: Value

        init(_ value: Value) {
            self.value = value
        }

        var exposed: Value { value }

        deinit {
            guard Value.self == [UInt8].self else { return }
            withUnsafeMutablePointer(to: &value) { pointer in
                pointer.withMemoryRebound(to: [UInt8].self, capacity: 1) { array in
                    array.pointee.withUnsafeMutableBytes { bytes in
                        if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
                    }
                }
            }
        }
    }

    private let box: Box

    /// Hides a value.
    public init(_ value: Value) {
        box = Box(value)
    }

    /// Passes the value to `body`. Neither it nor text made of it may leave `body`.
    public func withExposed<Result>(_ body: (Value) throws -> Result) rethrows -> Result {
        try body(box.exposed)
    }
}

extension Sensitive<[UInt8]> {
    /// Hides the UTF-8 bytes of a text.
    public init(utf8 text: some StringProtocol) {
        self.init(Array(text.utf8))
    }
}

extension DefaultStringInterpolation {
    /// Interpolates a placeholder, and warns: the caller expects the value.
    @available(*, deprecated, message: "a sensitive value cannot be interpolated; use withExposed")
    public mutating func appendInterpolation<Value>(_ value: Sensitive<Value>) {
        appendLiteral(value.description)
    }
}

/// A type whose values never show their content, whichever way they are printed.
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
