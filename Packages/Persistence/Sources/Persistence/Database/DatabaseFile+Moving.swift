// SPDX-License-Identifier: MIT

import Glibc

extension DatabaseFile {
    /// Renames without replacing: a second name, then the first one goes.
    static func move(_ source: String, to target: String) throws {
        if link(source, target) != 0 {
            switch errno {
            case EEXIST: throw DatabaseError.alreadyExists(target)
            case EPERM, EOPNOTSUPP, ENOSYS, EMLINK:
                // File systems without second names (FAT, some network shares): the name was free a moment ago.
                guard rename(source, target) == 0 else {
                    throw DatabaseError(systemError: errno, doing: "rename", path: source)
                }
                return
            default: throw DatabaseError(systemError: errno, doing: "rename", path: source)
            }
        }
        guard unlink(source) == 0 else {
            let number = errno
            unlink(target)
            throw DatabaseError(systemError: number, doing: "rename", path: source)
        }
    }
}
