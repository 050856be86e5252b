// SPDX-License-Identifier: MIT

/// A ``CacheStore`` that is opened by its first use. If it cannot be opened, there is no cache, and no error.
public actor LazyCacheStore {
    private let open: @Sendable () async throws -> CacheStore
    private var opening: Task<CacheStore?, Never>?

    /// A cache in a file.
    ///
    /// - Parameter open: Opens the file; called once.
    public init(_ open: @escaping @Sendable () async throws -> CacheStore) { self.open = open }

    /// The open cache; nil if it could not be opened, or after ``close()``.
    public func store() async -> CacheStore? {
        let opening = opening ?? Task { [open] in try? await open() }
        self.opening = opening
        return await opening.value
    }

    /// Closes the file, if it was opened.
    public func close() async {
        await opening?.value?.close()
        opening = Task { nil }
    }
}
