// SPDX-License-Identifier: MIT

import Glibc

extension SecurityError {
    /// The error for a failed system call.
    init(systemError: Int32, doing action: String, path: String) {
        let code: Code
        switch systemError {
        case EACCES, EPERM, EROFS: code = .permission
        case ENOSPC, EDQUOT, EFBIG: code = .diskFull
        case ENOENT, ENOTDIR: code = .notFound
        case EEXIST: code = .alreadyExists
        case ELOOP: code = .insecureFile
        default: code = .inputOutput
        }
        let reason = strerror(systemError).map { String(cString: $0) } ?? "error \(systemError)"
        self.init(code: code, message: "Could not \(action) \(path): \(reason).", underlying: systemError)
    }
}
