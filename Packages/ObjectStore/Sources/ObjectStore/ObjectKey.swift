// SPDX-License-Identifier: MIT

/// The name of an object: segments with slashes between them, such as `ada/recording-7`.
///
/// A key is good for every store: 1 to 1,024 bytes of UTF-8, each segment 1 to 255 bytes, no segment begins with a dot
/// and no control character is in it. So a key never leaves a folder, and survives a URL and an XML answer unchanged.
public struct ObjectKey: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The most bytes of a key (Amazon S3, "Object key naming").
    public static let maximumByteCount = 1_024
    /// The most bytes of a segment (`NAME_MAX` of Linux).
    public static let maximumSegmentByteCount = 255

    /// The key as text.
    public let text: String

    /// Checks a key.
    ///
    /// - Throws: ``ObjectStoreError`` with the code `invalidKey`, which says what is wrong.
    public init(_ text: String) throws(ObjectStoreError) {
        if let fault = Self.fault(of: text) { throw ObjectStoreError(code: .invalidKey, message: fault) }
        self.text = text
    }

    /// The parts between the slashes; at least one.
    public var segments: [String] { text.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) } }

    /// The key as text.
    public var description: String { text }

    /// True if two keys have the same bytes: two ways to write `é` are two keys.
    public static func == (first: ObjectKey, second: ObjectKey) -> Bool {
        first.text.utf8.elementsEqual(second.text.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }

    /// Keys are in the order of their bytes, as every store lists them.
    public static func < (first: ObjectKey, second: ObjectKey) -> Bool {
        first.text.utf8.lexicographicallyPrecedes(second.text.utf8)
    }

    private static func fault(of text: String) -> String? {
        let bytes = text.utf8
        guard (1...maximumByteCount).contains(bytes.count) else {
            return "The key has \(bytes.count) bytes. Give it 1 to \(maximumByteCount)."
        }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return "The key has a control character in it. Take it out."
        }
        for segment in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            if segment.isEmpty { return "The key has an empty segment. Put single slashes between its segments only." }
            if segment.first == UInt8(ascii: ".") {
                return "A segment of the key begins with a dot. Begin it with something else."
            }
            if segment.count > maximumSegmentByteCount {
                return "A segment of the key has \(segment.count) bytes. Keep it to \(maximumSegmentByteCount)."
            }
        }
        return nil
    }
}
