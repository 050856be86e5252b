// SPDX-License-Identifier: MIT

/// An archive of files that is written from its first byte to its last, one file after the other.
public protocol ExportArchive: Sendable {
    /// Adds a file.
    ///
    /// - Parameters:
    ///   - name: At most 100 bytes of ASCII; folders are parted by "/".
    ///   - size: The number of bytes that `content` writes.
    ///   - content: Writes the bytes, in pieces.
    /// - Throws: The errors of `content`; ``DomainError/damaged(_:)`` if it writes another number of bytes than `size`; what the
    ///   archive's place throws; `CancellationError`. The archive has no use after any of them.
    func add(
        _ name: String, size: Int, _ content: (_ write: ([UInt8]) async throws -> Void) async throws -> Void
    ) async throws

    /// Completes the archive; without it, the archive breaks off.
    func finish() async throws
}

extension ExportArchive {
    /// Adds a file.
    public func add(_ name: String, _ bytes: [UInt8]) async throws {
        try await add(name, size: bytes.count) { write in try await write(bytes) }
    }
}

/// A part of what there is of a person, as files of an archive.
public protocol PersonalDataSource: Sendable {
    /// Writes all of it, and leaves the archive open.
    ///
    /// - Returns: The numbers of what was written, by name.
    /// - Throws: The errors of the archive, unchanged; ``DomainError`` or `CancellationError`.
    func export(to archive: any ExportArchive) async throws -> [String: Int]
}

/// Writes all data of a person, from this device and the server, into one archive.
public struct ExportEverything: Sendable {
    private let sources: [any PersonalDataSource]

    /// A use case over these, in the archive's order.
    public init(_ sources: [any PersonalDataSource]) { self.sources = sources }

    /// Writes all of it, or completes nothing: an export that lacks a part must not look like a whole one.
    ///
    /// - Returns: The numbers of what was written, by name.
    /// - Throws: The errors of a source or the archive, or `CancellationError`.
    public func callAsFunction(to archive: any ExportArchive) async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for source in sources {
            try Task.checkCancellation()
            counts.merge(try await source.export(to: archive), uniquingKeysWith: +)
        }
        try await archive.finish()
        return counts
    }
}
