// SPDX-License-Identifier: MIT

import Digests
import FoundationEssentials
import Glibc
import Security

/// The secret that the instances of a server share: the root of its authentication codes, and the seal of its signing
/// keys and waiting mails. It is 32 random bytes, written as 64 hexadecimal digits.
public struct ServerRootKey: Sendable {
    let bytes: Sensitive<[UInt8]>

    /// Reads the digits; a line feed may end them.
    ///
    /// - Parameters:
    ///   - text: The digits.
    ///   - place: The source of the text for the error.
    /// - Throws: ``SettingError``, which does not show the text.
    public init(_ text: String, at place: String) throws(SettingError) {
        let digits = text.hasSuffix("\n") ? text.dropLast() : text[...]
        guard let bytes = Hexadecimal.bytes(digits), bytes.count == SymmetricKey.byteCount else {
            throw SettingError(place, "takes 64 hexadecimal digits. Make them by: openssl rand -hex 32")
        }
        self.bytes = Sensitive(bytes)
    }

    /// Reads a file, which others must not be able to read.
    ///
    /// - Throws: ``SettingError``.
    public init(file: String) throws(SettingError) {
        var status = stat()
        guard stat(file, &status) == 0, let text = try? String(contentsOf: URL(filePath: file), encoding: .utf8) else {
            throw SettingError(file, "cannot be read. Check path and permissions.")
        }
        guard status.st_mode & 0o007 == 0 else {
            throw SettingError(file, "holds a key, and others may use it. Run: chmod o= \(file)")
        }
        try self.init(text, at: file)
    }
}
