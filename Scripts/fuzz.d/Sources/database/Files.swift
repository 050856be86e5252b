// SPDX-License-Identifier: MIT

import FuzzerDriver

/// A database and its write-ahead log.
struct Files: Equatable {
    var database: [UInt8]
    var log: [UInt8]

    /// Reads them; what is not there is empty.
    init(at path: String) {
        self.init(database: bytes(of: path), log: bytes(of: path + "-wal"))
    }

    init(database: [UInt8], log: [UInt8]) {
        self.database = database
        self.log = log
    }

    func write(to path: String) {
        FuzzerDriver.write(database, to: path)
        if !log.isEmpty { FuzzerDriver.write(log, to: path + "-wal") }
    }

    /// Cuts one of the files short, and changes the rest of the database.
    mutating func cut(by input: ArraySlice<UInt8>) {
        let length = input.prefix(3).reduce(0) { $0 << 8 | Int($1) }
        if length % 2 == 0 {
            database = Array(database.prefix(length % (database.count + 1)))
        } else {
            log = Array(log.prefix(length % (log.count + 1)))
        }
        database.change(by: input.dropFirst(3))
    }
}
