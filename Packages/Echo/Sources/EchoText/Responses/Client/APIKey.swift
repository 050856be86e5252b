// SPDX-License-Identifier: MIT

/// A key that is shown only to the server.
struct APIKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text that replaces the key.
    static let mark = "<redacted>"

    private let value: String

    init(_ value: String) { self.value = value }

    var isEmpty: Bool { value.isEmpty }
    /// The value of `Authorization`.
    var authorization: String { "Bearer \(value)" }
    var description: String { Self.mark }
    var debugDescription: String { Self.mark }
    var customMirror: Mirror { Mirror(self, children: [:]) }

    /// The text without this key and without anything that looks like a key: servers repeat wrong keys in their errors.
    func redact(_ text: String) -> String {
        var text = text
        if value.utf8.count >= 4 { text = text.replacing(value, with: Self.mark) }
        guard text.utf8.contains(UInt8(ascii: "-")) else { return text }
        return text.replacing(/\b(sk|pk|sess|ek)-[A-Za-z0-9_*.\-]{3,}/, with: Self.mark)
    }

    func redact(_ failure: APIFailure) -> APIFailure {
        var failure = failure
        failure.message = redact(failure.message)
        failure.code = failure.code.map(redact)
        failure.type = failure.type.map(redact)
        failure.parameter = failure.parameter.map(redact)
        failure.requestID = failure.requestID.map(redact)
        return failure
    }
}
