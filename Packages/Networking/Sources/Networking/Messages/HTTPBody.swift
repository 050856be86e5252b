// SPDX-License-Identifier: MIT

/// What a request carries.
public enum HTTPBody: Sendable {
    /// Nothing.
    case none
    /// Bytes in memory.
    case bytes([UInt8])
    /// Chunks that are made while the request is being sent.
    case stream(HTTPBodyStream)
    /// The content of a file, read piece by piece; it must not change meanwhile.
    case file(path: String)

    /// A text in UTF-8.
    public static func text(_ text: String) -> HTTPBody {
        .bytes(Array(text.utf8))
    }

    /// Whether a second attempt can send the same content again.
    public var isRepeatable: Bool {
        if case .stream(let stream) = self { stream.isRepeatable } else { true }
    }
}
