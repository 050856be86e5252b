// SPDX-License-Identifier: MIT

public import Domain

/// Writes a tar archive (ustar, POSIX.1-1988) in pieces.
public struct TarWriter: ExportArchive {
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

    /// See `ExportArchive`.
    public func add(
        _ name: String, size: Int, _ content: (_ write: ([UInt8]) async throws -> Void) async throws -> Void
    ) async throws {
        try Task.checkCancellation()
        let entry = TarEntry(name: name, size: size, modifiedAt: modifiedAt)
        try await put(entry.header)
        var rest = size
        try await content { piece in
            rest -= piece.count
            if rest < 0 { throw Self.otherSize(name) }
            try await put(piece)
        }
        if rest > 0 { throw Self.otherSize(name) }
        try await put(entry.padding)
    }

    /// See `ExportArchive`.
    public func finish() async throws { try await put(TarEntry.end) }

    private static func otherSize(_ name: String) -> DomainError {
        .damaged("The size of \(name) changed while it was read.")
    }
}
