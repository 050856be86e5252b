// SPDX-License-Identifier: MIT

/// A file that a question has with it.
public struct Attachment: Hashable, Sendable {
    /// The file's name without its folder.
    public let name: String
    /// Its content.
    public let bytes: [UInt8]

    /// Makes a file.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
