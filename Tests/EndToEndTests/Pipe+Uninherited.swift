// SPDX-License-Identifier: MIT

import Foundation

extension Pipe {
    /// A pipe that no process inherits but the one that it is given to. `Process` closes what is open when it looks, so a
    /// pipe that another thread makes a moment later would get into its child, and not end while that child lives.
    static func uninherited() -> Pipe {
        let pipe = Pipe()
        for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
            _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        return pipe
    }
}
