// SPDX-License-Identifier: MIT

import Glibc
import Persistence

/// A sound database with something of everything in it, and where trials are made.
struct Template {
    let folder: String
    let files: Files

    /// Made once for a process; a loop of inputs must not pay for it.
    static let task = Task { await Template() }
    static var made: Template { get async { await task.value } }

    private init() async {
        // In memory where there is such a folder: no trial needs the disk.
        let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        folder = "\(parent)/parley-fuzz-\(getpid())"
        precondition(mkdir(folder, 0o700) == 0, "there is \(folder) already")
        atexit { Template.removeFolder("/dev/shm/parley-fuzz-\(getpid())") }
        atexit { Template.removeFolder("/tmp/parley-fuzz-\(getpid())") }
        let path = folder + "/template.sqlite"
        do {
            let database = try await Database(at: path)
            try await database.migrate([Self.tables])
            try await database.write { connection in
                for id in 1...60 {
                    try connection.execute("INSERT INTO item VALUES (\(id), \("item \(id)"), \(Double(id) / 7))")
                    try connection.execute("INSERT INTO pair VALUES (\("key \(id)"), \(id))")
                    try connection.execute(
                        "INSERT INTO words (rowid, body) VALUES (\(id), \("word\(id % 7) and \(id)"))")
                }
                try connection.execute("INSERT INTO part VALUES (3, zeroblob(9000)), (4, x'00ff')")
            }
            // What is in the file now, and then in the log alone.
            try await database.backUp(to: folder + "/copy.sqlite")
            let copy = try await Database(at: folder + "/copy.sqlite")
            try await copy.write { try $0.execute("UPDATE item SET name = name || ' again' WHERE id % 5 = 0") }
            try await copy.write { try $0.execute("DELETE FROM part WHERE item = 4") }
            files = Files(at: folder + "/copy.sqlite")
            await copy.close()
            await database.close()
        } catch {
            fatalError("the sound database could not be made: \(error)")
        }
        precondition(!files.log.isEmpty && files.database.count > 20_000)
    }

    static let tables = Migration(
        name: "tables",
        sql: """
            CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, amount REAL CHECK (amount >= 0)) STRICT;
            CREATE TABLE part (item INTEGER NOT NULL REFERENCES item(id) ON DELETE CASCADE, sound BLOB) STRICT;
            CREATE TABLE pair (key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
            CREATE INDEX item_amount ON item (amount, lower(name));
            CREATE VIEW names AS SELECT name FROM item ORDER BY name;
            CREATE TRIGGER item_deleted AFTER DELETE ON item BEGIN DELETE FROM pair WHERE value = old.id; END;
            CREATE VIRTUAL TABLE words USING fts5(body);
            """)

    private static func removeFolder(_ path: String) {
        for name in names(in: path) { unlink(path + "/" + name) }
        rmdir(path)
    }

    /// What is in a folder.
    static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}
