// SPDX-License-Identifier: MIT

import Digests
import Glibc
import Security

/// The secret that the instances of a server share: the root of its authentication codes, and the seal of its signing
/// keys and waiting mails. It is 32 random bytes, written as 64 hexadecimal digits.
///
/// Other keys may follow it, each on a line of its own: what they have made is accepted.
public struct ServerRootKey: Sendable {
    /// The most keys together.
    static let limit = 8
    private static let byteLimit = 4_096

    /// The first one is to make everything new.
    let keys: [Sensitive<[UInt8]>]

    /// Reads the digits.
    ///
    /// - Parameters:
    ///   - text: The keys, one a line.
    ///   - place: The source of the text for the error.
    /// - Throws: ``SettingError``, which does not show the text.
    public init(_ text: String, at place: String) throws(SettingError) {
        var found: [[UInt8]] = []
        for line in text.split(whereSeparator: \.isNewline) {
            guard let bytes = Hexadecimal.bytes(line), bytes.count == SymmetricKey.byteCount else {
                throw SettingError(place, "takes 64 hexadecimal digits a line. Make them by: openssl rand -hex 32")
            }
            guard !found.contains(bytes) else { throw SettingError(place, "has a key twice. Take one of them out.") }
            found.append(bytes)
        }
        guard !found.isEmpty else {
            throw SettingError(place, "is empty, and takes 64 hexadecimal digits. Make them by: openssl rand -hex 32")
        }
        guard found.count <= Self.limit else {
            throw SettingError(place, "takes \(Self.limit) keys at the most. Run: parley-server keys status")
        }
        keys = found.map { Sensitive($0) }
    }

    /// Reads a file, which others must not be able to read.
    ///
    /// - Throws: ``SettingError``.
    public init(file: String) throws(SettingError) {
        // A pipe in the file's place must not block.
        let descriptor = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw SettingError(file, "cannot be read. Check path and permissions.") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw SettingError(file, "is not a file. Check the path.")
        }
        guard status.st_mode & 0o007 == 0 else {
            throw SettingError(file, "holds a key, and others may use it. Run: chmod o= \(file)")
        }
        var bytes = [UInt8](repeating: 0, count: Self.byteLimit + 1)
        var count = 0
        while count < bytes.count {
            let number = bytes[count...].withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if number < 0, errno == EINTR { continue }
            guard number >= 0 else { throw SettingError(file, "cannot be read. Check path and permissions.") }
            if number == 0 { break }
            count += number
        }
        guard count <= Self.byteLimit else {
            throw SettingError(file, "is longer than \(Self.byteLimit) bytes. It takes 64 hexadecimal digits a line.")
        }
        try self.init(String(decoding: bytes[..<count], as: UTF8.self), at: file)
    }
}
