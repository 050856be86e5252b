// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

/// An existing file, open for appending. The calls block.
final class PlainFile {
    private let path: String
    private let descriptor: Int32

    init(_ path: String) throws(RecordingError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw RecordingFiles.failure(errno, doing: "open", path) }
    }

    deinit { close(descriptor) }

    func write(_ data: Data) throws(RecordingError) {
        var rest = data
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw RecordingFiles.failure(errno, doing: "write", path)
            }
        }
    }
}
