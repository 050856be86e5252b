// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// How far an upload has come.
public struct TusProgress: Hashable, Sendable {
    /// The bytes that the server has confirmed.
    public var confirmedBytes: Int
    /// The bytes of the whole upload.
    public var totalBytes: Int
    /// Where the server keeps the upload.
    public var url: URL

    /// Whether the server has everything.
    public var isComplete: Bool { confirmedBytes == totalBytes }
}
