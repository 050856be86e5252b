// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// What has to be remembered to go on with an upload after the program has ended.
public struct TusUploadRecord: Codable, Hashable, Sendable {
    /// The idempotency key: the SHA-256 of the endpoint's address and the source's fingerprint, in hexadecimal.
    public var key: String
    /// Where the server keeps the upload.
    public var url: URL
    /// The bytes of the whole upload.
    public var length: Int

    /// A record.
    public init(key: String, url: URL, length: Int) {
        self.key = key
        self.url = url
        self.length = length
    }
}
