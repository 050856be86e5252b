// SPDX-License-Identifier: MIT

import Domain

/// Removes sound files whose rows are gone.
struct SoundRemoval: Sendable {
    let recordings: RecordingStore
    let folder: SoundFolder
    let disk: DiskQueue

    /// Removes a file, unless a recording or an upload has its id.
    func remove(_ id: Identifier<Recording>, of account: String) async throws {
        _ = try await recordings.removeFile(id.description, of: account, in: folder)
    }

    /// Removes every file of an account without a row. A file that cannot be removed does not stop the others.
    ///
    /// - Throws: The first error, after all files were tried.
    func removeUnknown(of account: String) async throws {
        var failure: (any Error)?
        for name in await names(of: account) {
            do {
                _ = try await recordings.removeFile(name, of: account, in: folder)
            } catch {
                failure = failure ?? error
            }
        }
        try await recordings.removeEmptyFolder(of: account, in: folder)
        if let failure { throw failure }
    }

    /// Removes every file without a row, and folders that become empty by it; files that cannot be removed stay.
    ///
    /// - Returns: The number of removed files.
    func sweep() async throws -> Int {
        let known = try await recordings.knownFiles()
        var count = 0
        for account in try await disk.run({ [folder] in try folder.accounts() }) {
            for name in await names(of: account) where !known.contains("\(account)/\(name)") {
                if (try? await recordings.removeFile(name, of: account, in: folder)) == true { count += 1 }
            }
            try await recordings.removeEmptyFolder(of: account, in: folder)
        }
        return count
    }

    private func names(of account: String) async -> [String] {
        (try? await disk.run { [folder] in folder.names(of: account) }) ?? []
    }
}
