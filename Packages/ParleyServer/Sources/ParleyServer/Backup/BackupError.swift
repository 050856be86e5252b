// SPDX-License-Identifier: MIT

import Glibc

/// The reason why a backup or a restoration failed. It leaves nothing incomplete that a server would take for complete.
public enum BackupError: Error, Equatable, CustomStringConvertible {
    /// The home has no databases or no keys.
    case notAHome(String)
    /// The folder of a new backup exists.
    case exists(String)
    /// The home that a backup is to be restored to has data.
    case homeHasData(String)
    /// The folder has no list of its files, so it is not a complete backup.
    case notABackup(String)
    /// A file is missing, has another content than the list says, or is not in the list.
    case damaged(String)
    /// A restoration into this home was interrupted.
    case restoreUnfinished(String)
    /// The system refused; its error number.
    case system(String, Int32)

    /// The reason and the remedy.
    public var description: String {
        switch self {
        case .notAHome(let path): "\(path) is not the home of a server: its databases or keys are missing. Give --home."
        case .exists(let path): "\(path) exists. Give a folder that does not."
        case .homeHasData(let path): "\(path) has data. Move it away, or give an empty --home."
        case .notABackup(let path): "\(path) is not a complete backup: SHA256SUMS is missing. Take another one."
        case .damaged(let path): "\(path) is not as it was backed up. Take another backup."
        case .restoreUnfinished(let path): "A restoration into \(path) was broken off. Run parley-server restore again."
        case .system(let path, let cause):
            "\(path): \(String(cString: strerror(cause))). Check the disk and permissions."
        }
    }
}
