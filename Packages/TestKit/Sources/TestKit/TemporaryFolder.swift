// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

/// A folder that lives as long as its test.
public final class TemporaryFolder: Sendable {
    /// The folder's path.
    public let path: String

    /// Makes an empty one.
    public init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "parley-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in it.
    public func file(_ name: String) -> String { path + "/" + name }

    /// The names in it, sorted.
    public func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    /// A file's content.
    public func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: file(name)))) }

    /// Writes a file that only its owner can read, unless `mode` says otherwise; returns its path.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>, to name: String, mode: Int = 0o600) throws -> String {
        try Data(bytes).write(to: URL(filePath: file(name)))
        try setMode(mode, of: name)
        return file(name)
    }

    /// Writes a text in UTF-8 likewise.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String { try write(text.utf8, to: name) }

    /// A file's size in bytes.
    public func size(_ name: String) throws -> Int { Int(try status(of: name).st_size) }

    /// A file's permissions.
    public func mode(_ name: String) throws -> Int { Int(try status(of: name).st_mode & 0o7777) }

    /// Changes a file's permissions.
    public func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file(name))
    }

    private func status(of name: String) throws -> stat {
        var status = stat()
        guard stat(file(name), &status) == 0 else { throw CocoaError(.fileNoSuchFile) }
        return status
    }
}
