// SPDX-License-Identifier: MIT

import Concurrency
import DurableFiles
import Glibc

/// A file that is being written and has no key yet.
final class PendingObject: Sendable {
    let path: String
    private let file: OpenFile
    // Keeps the descriptor in the path open.
    private let folder: FolderHandle

    /// Makes a file in a folder, under a name of its own unless it is given.
    init(in folder: FolderHandle, name: String = "\(UInt64.random(in: 0 ... .max)).put") throws(FileError) {
        self.folder = folder
        path = folder.path(name)
        file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    }

    /// Writes all chunks and brings them to the disk.
    func take(_ content: ObjectContent) async throws {
        for try await chunk in content.chunks { try await write(chunk) }
        try await perform { () throws(FileError) in try self.file.synchronize() }
    }

    func write(_ chunk: [UInt8]) async throws {
        try await perform { () throws(FileError) in try self.file.write(chunk) }
    }

    func synchronize() throws(FileError) { try file.synchronize() }

    /// Removes the file.
    func discard() { unlink(path) }

    private func perform(_ body: @escaping @Sendable () throws(FileError) -> Void) async throws {
        try await BlockingCall.run { () throws(ObjectStoreError) in
            do throws(FileError) { try body() } catch { throw .ofFolder(error) }
        }
    }
}
