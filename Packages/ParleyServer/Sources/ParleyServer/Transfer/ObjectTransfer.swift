// SPDX-License-Identifier: MIT

import FoundationEssentials
public import ObjectStore

/// Copies the sound of all recordings to another place, a home's folder or a bucket, and compares both sides. No server may
/// use either.
///
/// After a break it goes on where it was: an object appears as a whole or not at all, so that one of the same key and size is
/// not copied again. In the end every object is read on both sides, and its SHA-256 compared.
public struct ObjectTransfer: Sendable {
    /// A place of sound.
    public enum Place: Sendable {
        /// The recordings of a server's home.
        case home(String)
        /// A bucket.
        case bucket(S3Configuration, S3CredentialSource)
    }

    /// The result.
    public struct Report: Sendable, Equatable {
        /// The number of the objects of the source, each the same at the target.
        public var objects = 0
        /// The number of those that were there before.
        public var earlier = 0
        /// The bytes of all objects.
        public var bytes = 0
    }

    /// A step.
    public enum Progress: Sendable, Equatable {
        /// So many objects are at the target.
        case copied(Int)
        /// So many objects are the same on both sides.
        case verified(Int)
    }

    private static let width = 4

    private let source: Place
    private let target: Place

    /// - Parameters:
    ///   - source: The place whose objects are copied.
    ///   - target: The place that gets them, also with other objects in it.
    public init(from source: Place, to target: Place) {
        (self.source, self.target) = (source, target)
    }

    /// Copies and verifies.
    ///
    /// - Parameters:
    ///   - isDryRun: True to count the objects, and change nothing.
    ///   - progress: Called after each object.
    /// - Throws: ``TransferError``, ``ServerSetupError`` while a server uses a home, or the errors of the stores.
    public func run(
        isDryRun: Bool = false, progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws -> Report {
        let locks = try [source, target].compactMap { place -> HomeLock? in
            guard case .home(let home) = place else { return nil }
            return try HomeLock(home, for: .whole)
        }
        defer { for lock in locks { lock.release() } }
        let (old, new) = (try store(source), try store(target))
        var report = Report()
        try await Self.each(old) { info in
            let size: Int?
            do { size = try await new.head(info.key).size } catch let error as ObjectStoreError
                where error.code == .notFound
            { size = nil }
            guard size != info.size, !isDryRun else { return size == info.size }
            try await Self.copy(info, from: old, to: new)
            return false
        } done: { info, wasThere in
            report.objects += 1
            report.earlier += wasThere ? 1 : 0
            report.bytes += info.size
            progress(.copied(report.objects))
        }
        guard !isDryRun else { return report }
        var verified = 0
        try await Self.each(old) { info in
            if try await Self.isSame(info.key, old, new) { return true }
            // One of the same size that was there before.
            try await Self.copy(info, from: old, to: new)
            return try await Self.isSame(info.key, old, new)
        } done: { info, isSame in
            guard isSame else { throw TransferError.objectDiffers(info.key.text) }
            verified += 1
            progress(.verified(verified))
        }
        guard verified == report.objects else { throw TransferError.objectsChanged }
        return report
    }

    private static func copy(_ info: ObjectInfo, from old: any ObjectStore, to new: any ObjectStore) async throws {
        let bytes = JoinedBytes(objects: old, keys: [info.key])
        try await new.put(info.key, ObjectContent(bytes, length: info.size, isRepeatable: true))
    }

    private static func isSame(_ key: ObjectKey, _ old: any ObjectStore, _ new: any ObjectStore) async throws -> Bool {
        async let there = SoundFile.hash(of: new.get(key).chunks)
        let here = try await SoundFile.hash(of: old.get(key).chunks)
        return try await there == here
    }

    private func store(_ place: Place) throws -> any ObjectStore {
        switch place {
        case .home(let home): try FolderObjectStore(home + "/recordings")
        case .bucket(let configuration, let credentials): try S3ObjectStore(configuration, credentials: credentials)
        }
    }

    /// Works on the objects of a store, a few at once.
    private static func each(
        _ store: any ObjectStore, _ work: @escaping @Sendable (ObjectInfo) async throws -> Bool,
        done: (ObjectInfo, Bool) throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: (ObjectInfo, Bool).self) { group in
            var running = 0
            for try await info in store.objects(prefix: "") {
                if running == width, let (ended, result) = try await group.next() {
                    try done(ended, result)
                    running -= 1
                }
                group.addTask { (info, try await work(info)) }
                running += 1
            }
            for try await (info, result) in group { try done(info, result) }
        }
    }
}
