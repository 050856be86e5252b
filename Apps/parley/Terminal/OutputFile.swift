// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Glibc

/// A file that a person named for a result.
struct OutputFile {
    let path: String

    /// Names the file; nothing is opened yet.
    init(_ path: String) {
        self.path = path
    }

    /// Writes the text as the whole content. A regular file is replaced all or nothing; a pipe or a device is written
    /// to as it is, since replacing it would destroy it.
    func write(_ text: String) throws {
        var status = stat()
        let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        do {
            try Data(text.utf8).write(to: URL(filePath: path), options: isSpecial ? [] : .atomic)
        } catch {
            throw DomainError.file("\(path.printable) cannot be written. Choose a folder that exists, with free space.")
        }
    }
}
