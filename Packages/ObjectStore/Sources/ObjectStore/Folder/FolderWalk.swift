// SPDX-License-Identifier: MIT

import DurableFiles
import FoundationEssentials
import Glibc

/// Collects one page of the objects of a folder in the order of their keys. Only the names of the folders on the way to
/// the present one are in memory.
struct FolderWalk {
    private let prefix: String
    private let after: String
    private let limit: Int
    private var objects: [ObjectInfo] = []
    private var hasMore = false

    init(prefix: String, after: String, limit: Int) {
        (self.prefix, self.after, self.limit) = (prefix, after, limit)
    }

    var page: ObjectPage {
        ObjectPage(objects: objects, next: hasMore ? objects.last.map { ObjectCursor($0.key.text) } : nil)
    }

    /// Looks through a folder.
    ///
    /// - Parameter parent: The beginning of the keys in it: empty, or with a slash at its end.
    mutating func visit(_ folder: FolderHandle, below parent: String) throws(FileError) {
        var entries: [(text: String, name: String, status: stat)] = []
        for name in try folder.names() where !name.hasPrefix(".") {
            // Earlier pages had it with all that is in it, so that it need not be looked at.
            let text = parent + name
            guard after.utf8.starts(with: text.utf8) || after.utf8.lexicographicallyPrecedes(text.utf8) else {
                continue
            }
            guard let status = folder.status(name) else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFREG: entries.append((parent + name, name, status))
            // A slash counts in the order of the keys: "a-b" is before "a/b".
            case S_IFDIR: entries.append((parent + name + "/", name, status))
            default: continue
            }
        }
        entries.sort { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
        for entry in entries {
            guard !hasMore else { return }
            if entry.text.hasSuffix("/") {
                guard mayHold(entry.text), let below = try folder.folder(entry.name) else { continue }
                try visit(below, below: entry.text)
            } else if entry.text.utf8.starts(with: prefix.utf8),
                after.utf8.lexicographicallyPrecedes(entry.text.utf8), let key = try? ObjectKey(entry.text)
            {
                hasMore = objects.count == limit
                guard !hasMore else { return }
                objects.append(
                    ObjectInfo(key: key, size: Int(entry.status.st_size), modifiedAt: entry.status.changed))
            }
        }
    }

    /// True if a key in a folder can have the prefix and come after the cursor.
    private func mayHold(_ folder: String) -> Bool {
        (folder.utf8.starts(with: prefix.utf8) || prefix.utf8.starts(with: folder.utf8))
            && (after.utf8.starts(with: folder.utf8) || after.utf8.lexicographicallyPrecedes(folder.utf8))
    }
}
