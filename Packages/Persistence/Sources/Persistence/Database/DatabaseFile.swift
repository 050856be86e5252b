// SPDX-License-Identifier: MIT

import Glibc

/// A database's path and the files beside it.
struct DatabaseFile: Sendable {
    /// SQLite's files beside a database: the write-ahead log, its index, and a rollback journal.
    static let companions = ["-wal", "-shm", "-journal"]

    /// One page of the smallest size (sqlite.org/fileformat2.html §1.3).
    private static let smallestDatabase = 512

    let path: String

    init(path: String) throws {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw DatabaseError(code: .invalidPath, message: "A database's path is not empty and has no NUL in it.")
        }
        // SQLite gives names such as ":memory:" a meaning of their own.
        self.path = path.hasPrefix(":") ? "./" + path : path
    }

    /// Makes sure that a file exists that SQLite may open, without losing anything.
    ///
    /// - Parameter sizeOf: ``size(of:)``; tests let another program act between its calls.
    func prepare(
        isReadOnly: Bool, seal: DatabaseSeal? = nil, sizeOf: (String) throws -> Int? = Self.size
    ) throws {
        try requireOwner(isReadOnly: isReadOnly)
        // The log first: another program that makes the database now writes its file before its log.
        let log = try sizeOf(path + "-wal")
        let size = try sizeOf(path)
        // A recovery that was killed between its two renames.
        if size == nil, log ?? 0 == 0, !isReadOnly, rename(recovered, path) == 0 {
            return try prepare(isReadOnly: isReadOnly, seal: seal, sizeOf: sizeOf)
        }
        // SQLite deletes a log whose database is empty or missing, and with it acknowledged commits.
        if size ?? 0 == 0, log ?? 0 > 0 {
            throw DatabaseError(
                code: .damaged,
                message: DatabaseError.damageMessage(name: path, detail: "it is empty, but its log has content"))
        }
        // SQLite takes a file of one byte for a new one, and would overwrite it.
        if let size, (1..<Self.smallestDatabase).contains(size), size != SealedHeader.byteCount {
            throw DatabaseError(
                code: .damaged, message: DatabaseError.damageMessage(name: path, detail: "it has only \(size) bytes"))
        }
        if size == nil && !isReadOnly { try create() }
        if size ?? 0 == 0, !isReadOnly, let seal { try SealedHeader.initialize(path, seal) }
    }

    /// The sign that the file is in use; makes the folders on its path, which the sign needs.
    func use(timeout: Duration, _ isReadOnly: Bool) throws -> FileUse? {
        if !isReadOnly { try createFolders() }
        return try FileUse.shared(of: self, timeout: timeout)
    }

    private func createFolders() throws {
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try Self.createFolders(String(path[..<slash]))
        }
    }

    private func create() throws {
        try createFolders()
        // Not open(2): closing a descriptor would drop the locks that this process's other connections hold on the
        // file.
        guard mknod(path, S_IFREG | 0o600, 0) == 0 || errno == EEXIST else {
            throw DatabaseError(systemError: errno, doing: "create", path: path)
        }
    }

    private static func createFolders(_ path: String) throws {
        if mkdir(path, 0o700) == 0 { return syncParent(of: path) }
        switch errno {
        case EEXIST: return
        case ENOENT:
            guard let slash = path.dropLast().lastIndex(of: "/"), slash != path.startIndex else {
                throw DatabaseError(systemError: ENOENT, doing: "create the folder", path: path)
            }
            try createFolders(String(path[..<slash]))
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw DatabaseError(systemError: errno, doing: "create the folder", path: path)
            }
            syncParent(of: path)
        default: throw DatabaseError(systemError: errno, doing: "create the folder", path: path)
        }
    }

    /// Makes a new folder's name survive power loss, as far as the file system allows: SQLite does this only for the
    /// folder that the database is in.
    static func syncParent(of path: String) {
        let parent = path.lastIndex(of: "/").map { path[..<$0] }.map { $0.isEmpty ? "/" : String($0) } ?? "."
        let folder = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        Glibc.close(folder)
    }

    /// A file's size in bytes; nil if it is missing.
    static func size(of path: String) throws -> Int? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw DatabaseError(systemError: errno, doing: "open", path: path) }
            return nil
        }
        // Its size is the file system's business, and as small as a damaged database's on some.
        if status.st_mode & S_IFMT == S_IFDIR { throw DatabaseError(systemError: EISDIR, doing: "open", path: path) }
        return Int(status.st_size)
    }
}

extension DatabaseFile {
    /// Renames without replacing: makes a second name, then removes the first one.
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
