// SPDX-License-Identifier: MIT

/// The reason why rows or sound were not moved. The source is unchanged.
public enum TransferError: Error, Equatable, CustomStringConvertible {
    /// The folder has no server's databases.
    case notAHome(String)
    /// A file of the home is of another version: its newest migration, and the one that this version wants.
    case otherVersion(file: String, has: String, wants: String)
    /// The database has rows, in this table among others.
    case targetHasData(String)
    /// The database has the unfinished transfer of another home.
    case otherTransfer(String)
    /// The rows of a table are not those of the home.
    case differs(String)
    /// A transfer from this home into the database is unfinished.
    case unfinished(String)
    /// An object is another one at the source than at the target.
    case objectDiffers(String)
    /// Objects came or went at the source while it was copied.
    case objectsChanged

    /// The reason and the remedy.
    public var description: String {
        switch self {
        case .notAHome(let path):
            "\(path) is not the home of a server: server.sqlite is missing. Give --from sqlite:DIR."
        case .otherVersion(let file, let has, let wants):
            "\(file) is of another version: it has “\(has)” where this one has “\(wants)”. Start this version's server "
                + "there once, or use the home's own version."
        case .targetHasData(let table): "The database has rows, in \(table). Give an empty one."
        case .otherTransfer(let home): "The database has a part of the rows of \(home). Give an empty one."
        case .differs(let table):
            "The rows of \(table) are not those of the home, which was changed meanwhile. Begin again with an empty database."
        case .unfinished(let home):
            "A transfer from \(home) into this database is unfinished. Run it again: parley-server transfer."
        case .objectDiffers(let key):
            "\(key) cannot be copied: it changes, or a store returns other bytes. Check the stores."
        case .objectsChanged: "Objects came or went at the source meanwhile. Stop its servers, and run it again."
        }
    }
}
