// SPDX-License-Identifier: MIT

import Concurrency
public import Domain
import FoundationEssentials
import Glibc

/// A folder of files that belong to a person, whatever their content and origin.
///
/// It uses only the names on the disk, so that files without a row, set aside, left by a crash or sealed with a lost
/// key are deleted, too. Symbolic links are deleted and not followed.
public struct PersonalFolder: PersonalDataStore {
    private let path: String
    private let count: String
    private let isWanted: @Sendable (String) -> Bool

    /// Makes the value for a folder.
    ///
    /// - Parameters:
    ///   - path: The folder; it stays, and a missing one is no error.
    ///   - count: The receipt's name for the files.
    ///   - isWanted: Returns true for a name directly in the folder that is to be deleted, with everything below it.
    public init(path: String, count: String, where isWanted: @escaping @Sendable (String) -> Bool = { _ in true }) {
        self.path = path
        self.count = count
        self.isWanted = isWanted
    }

    /// See `PersonalDataStore`.
    public func erase() async throws -> [String: Int] {
        let (removed, left) = await BlockingCall.run { removeAll() }
        guard left.isEmpty else {
            throw DomainError.file(
                "\(left.count) files in \(path) cannot be removed, such as \(left[0]). Look at their permissions, then delete "
                    + "again.")
        }
        return removed > 0 ? [count: removed] : [:]
    }

    private func removeAll() -> (removed: Int, left: [String]) {
        var (removed, left): (Int, [String]) = (0, [])
        guard let names = Self.names(in: path) else { return (0, [path]) }
        for name in names where isWanted(name) {
            Self.remove(path + "/" + name, &removed, &left)
        }
        // Makes the deletions durable after a power failure.
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor >= 0 {
            fsync(descriptor)
            close(descriptor)
        }
        return (removed, left)
    }

    private static func remove(_ path: String, _ removed: inout Int, _ left: inout [String]) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            if unlink(path) == 0 { removed += 1 } else if errno != ENOENT { left.append(path) }
            return
        }
        for name in names(in: path) ?? [] { remove(path + "/" + name, &removed, &left) }
        if rmdir(path) != 0, errno != ENOENT, left.isEmpty { left.append(path) }
    }

    /// The names in a folder, sorted; empty if the folder is missing, nil if it cannot be read.
    private static func names(in path: String) -> [String]? {
        var status = stat()
        if stat(path, &status) != 0, errno == ENOENT { return [] }
        return try? FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}
