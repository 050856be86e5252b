// SPDX-License-Identifier: MIT

import Concurrency
import Dispatch
import FoundationEssentials
import Glibc

/// A store in a folder, one file for each key. A file appears whole or not at all, and one that is damaged counts as
/// absent; so the store can be killed at any moment. What was used longest ago goes first when it is full.
public actor FileCacheStore: HTTPCacheStore {
    private struct Entry {
        var size: Int
        var used: Int
    }

    private let folder: String
    private let maximumBytes: Int
    private let files: AtomicFile
    private let executor = QueueExecutor(label: "networking.cache")
    private var entries: [String: Entry] = [:]
    private var total = 0
    private var counter = 0

    /// Its file operations block, and so run on a queue of their own.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A store in a folder, which is made if it is missing. Only one store may use it at a time.
    ///
    /// - Throws: `NetworkError` with the code `file` if the folder cannot be made or read.
    public init(folder: String, maximumBytes: Int = 64 << 20) throws {
        try self.init(folder: folder, maximumBytes: maximumBytes, files: AtomicFile())
    }

    /// A store that writes with these operations.
    init(folder: String, maximumBytes: Int, files: AtomicFile) throws {
        self.folder = folder
        self.maximumBytes = maximumBytes
        self.files = files
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let found = try Self.scan(folder)
            for (index, file) in found.enumerated() {
                entries[file.name] = Entry(size: file.size, used: index)
                total += file.size
            }
            counter = found.count
        } catch {
            throw NetworkError(
                code: .file, message: "The cache's folder cannot be used. Check its path and rights.", underlying: error
            )
        }
    }

    /// How many bytes its files have.
    public var size: Int { total }

    /// The variants that are stored for a key, the newest first.
    public func variants(for key: String) -> [CachedResponse] {
        guard let name = Self.name(of: key), entries[name] != nil else { return [] }
        guard let bytes = try? Data(contentsOf: URL(filePath: path(name))),
            let record = CacheRecord.read(Array(bytes)), record.key == key
        else {
            forget(name)
            return []
        }
        counter += 1
        entries[name]?.used = counter
        // The order of use outlives the process as the files' dates.
        utimensat(AT_FDCWD, path(name), nil, 0)
        return record.variants
    }

    /// Stores these variants, and forgets others to make room.
    public func store(_ variants: [CachedResponse], for key: String) {
        guard let name = Self.name(of: key) else { return }
        let bytes = CacheRecord(key: key, variants: variants).bytes
        guard !variants.isEmpty, bytes.count <= maximumBytes else { return forget(name) }
        // Without its folder on the disk: after a power failure the old response does as well as the new one.
        guard files.replace(path(name), with: bytes, isDurable: false) == 0 else { return }
        counter += 1
        total += bytes.count - (entries[name]?.size ?? 0)
        entries[name] = Entry(size: bytes.count, used: counter)
        while total > maximumBytes, let oldest = entries.min(by: { $0.value.used < $1.value.used }) {
            forget(oldest.key)
        }
    }

    /// Forgets a key.
    public func remove(_ key: String) {
        if let name = Self.name(of: key) { forget(name) }
    }

    /// Forgets everything.
    public func removeAll() {
        for name in Array(entries.keys) { forget(name) }
    }

    private func forget(_ name: String) {
        unlink(path(name))
        total -= entries.removeValue(forKey: name)?.size ?? 0
    }

    private func path(_ name: String) -> String { folder + "/" + name }

    private static func name(of key: String) -> String? {
        guard let digest = try? MessageDigest.hash(key.utf8, .sha256) else { return nil }
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The folder's records, the one used longest ago first. What a crash left half written is removed.
    private static func scan(_ folder: String) throws -> [(name: String, size: Int)] {
        var found: [(name: String, size: Int, used: timespec)] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let path = folder + "/" + name
            if name.hasSuffix(AtomicFile.unfinished) {
                unlink(path)
                continue
            }
            var status = stat()
            guard name.utf8.count == 64, stat(path, &status) == 0 else { continue }
            found.append((name, Int(status.st_size), status.st_mtim))
        }
        return found.sorted { ($0.used.tv_sec, $0.used.tv_nsec) < ($1.used.tv_sec, $1.used.tv_nsec) }
            .map { ($0.name, $0.size) }
    }
}
