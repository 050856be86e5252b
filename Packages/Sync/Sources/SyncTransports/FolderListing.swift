// SPDX-License-Identifier: MIT

import DurableFiles
import Glibc
import SyncWire

/// The files of a folder.
struct FolderListing {
    /// The files that are objects by their names. Links, pipes and folders are none.
    var objects: [SyncObject] = []
    /// All other names.
    var otherNames: [String] = []

    init(_ folder: String) throws(FileError) {
        guard let stream = opendir(folder) else { throw FileError("list", folder) }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw FileError("list", folder) }
                return
            }
            let text = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let name = SyncObjectName(text) else {
                otherNames.append(text)
                continue
            }
            var status = stat()
            // It may be gone by now.
            guard fstatat(dirfd(stream), text, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                guard errno == ENOENT else { throw FileError("look at", "\(folder)/\(text)") }
                continue
            }
            guard status.st_mode & S_IFMT == S_IFREG else { continue }
            objects.append(SyncObject(name: name, size: Int(status.st_size)))
        }
    }
}
