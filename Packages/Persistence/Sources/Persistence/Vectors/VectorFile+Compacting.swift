// SPDX-License-Identifier: MIT

import Glibc

extension VectorFile {
    /// The path that a compaction writes; only the holder of the file's own lock does.
    static func compactionPath(_ path: String) -> String { path + ".compacting" }

    /// Makes a file of some of the rows, in their order, and puts it in the place of this one, which can still be read.
    ///
    /// The new file has its lock before it has the name, so that no other index can open it first.
    func replaced(byRows kept: [Int]) throws -> VectorFile {
        guard let name = isInMemory ? nil : path else {
            let new = try VectorFile(path: nil, dimension: layout.dimension)
            try new.append(kept, of: self)
            return new
        }
        let partial = Self.compactionPath(name)
        // Left by a crash of an earlier one.
        unlink(partial)
        do {
            let new = try VectorFile(path: partial, dimension: layout.dimension)
            try new.append(kept, of: self)
            guard rename(partial, name) == 0 else {
                throw DatabaseError(systemError: errno, doing: "replace", path: name)
            }
            DatabaseFile.syncParent(of: name)
            new.wasRenamed(to: name)
            return new
        } catch {
            unlink(partial)
            throw error
        }
    }
}
