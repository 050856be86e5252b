// SPDX-License-Identifier: MIT

/// A `multipart/form-data` body (RFC 7578).
struct MultipartBody {
    private let boundary: String
    private(set) var bytes: [UInt8] = []

    /// - Parameter boundary: 128 random bits in hexadecimal: it must not occur in a sound.
    init(boundary: String) { self.boundary = "parley-\(boundary)" }

    /// A body whose boundary no sound contains, with overwhelming probability.
    init() {
        var random = SystemRandomNumberGenerator()
        self.init(boundary: String(random.next(), radix: 16) + String(random.next(), radix: 16))
    }

    /// The value of `Content-Type`.
    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    mutating func add(_ name: String, _ text: String) {
        begin("form-data; name=\"\(name)\"")
        bytes += Array("\r\n\(text)\r\n".utf8)
    }

    mutating func add(_ name: String, fileName: String, contentType: String, _ content: [UInt8]) {
        begin("form-data; name=\"\(name)\"; filename=\"\(fileName)\"")
        bytes += Array("Content-Type: \(contentType)\r\n\r\n".utf8)
        bytes += content
        bytes += Array("\r\n".utf8)
    }

    mutating func finish() { bytes += Array("--\(boundary)--\r\n".utf8) }

    private mutating func begin(_ disposition: String) {
        bytes += Array("--\(boundary)\r\nContent-Disposition: \(disposition)\r\n".utf8)
    }
}
