// SPDX-License-Identifier: MIT

public import Domain

/// Writes a tar archive (ustar, POSIX.1-1988) in pieces.
public struct TarWriter: Sendable {
    private let modifiedAt: Int64
    private let put: @Sendable ([UInt8]) async throws -> Void

    /// Makes a writer of one archive.
    ///
    /// - Parameters:
    ///   - modifiedAt: The modification time of all files, in seconds since 1970.
    ///   - put: Takes the pieces, one after another.
    public init(modifiedAt: Int64, put: @escaping @Sendable ([UInt8]) async throws -> Void) {
        self.modifiedAt = modifiedAt
        self.put = put
    }

    /// Adds a file.
    ///
    /// - Parameter name: At most 100 bytes of ASCII; "/" separates folders.
    public func add(_ name: String, _ content: [UInt8]) async throws {
        try await begin(name, size: content.count)
        try await write(content)
        try await end(size: content.count)
    }

    /// Begins a file; `size` bytes must follow by ``write(_:)``, and then ``end(size:)``.
    public func begin(_ name: String, size: Int) async throws {
        try await put(TarEntry(name: name, size: size, modifiedAt: modifiedAt).header)
    }

    /// Writes bytes of the file that was begun.
    public func write(_ bytes: [UInt8]) async throws { try await put(bytes) }

    /// Ends the file.
    public func end(size: Int) async throws {
        try await put(TarEntry(name: "", size: size, modifiedAt: modifiedAt).padding)
    }

    /// Ends the archive.
    public func finish() async throws { try await put(TarEntry.end) }
}

extension TarWriter: ExportArchive {
    /// See `ExportArchive`.
    public func add(
        _ name: String, size: Int, _ content: (_ write: ([UInt8]) async throws -> Void) async throws -> Void
    ) async throws {
        try await begin(name, size: size)
        try await content { try await write($0) }
        try await end(size: size)
    }
}
