// SPDX-License-Identifier: MIT

import Glibc

/// A database and its write-ahead log.
struct Files: Equatable {
    var database: [UInt8]
    var log: [UInt8]

    /// Reads them; what is not there is empty.
    init(at path: String) {
        self.init(database: Self.bytes(of: path), log: Self.bytes(of: path + "-wal"))
    }

    init(database: [UInt8], log: [UInt8]) {
        self.database = database
        self.log = log
    }

    func write(to path: String) {
        Self.write(database, to: path)
        if !log.isEmpty { Self.write(log, to: path + "-wal") }
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

    private static func bytes(of path: String) -> [UInt8] {
        guard let file = fopen(path, "rb") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer.prefix(count) }
        return bytes
    }

    private static func write(_ bytes: [UInt8], to path: String) {
        guard let file = fopen(path, "wb") else { preconditionFailure("cannot write \(path)") }
        precondition(fwrite(bytes, 1, bytes.count, file) == bytes.count)
        fclose(file)
    }
}

extension [UInt8] {
    /// Puts pieces of the input in other places: three bytes say where, one how long, and the piece follows.
    mutating func change(by input: ArraySlice<UInt8>) {
        var rest = input
        while rest.count > 4, !isEmpty {
            let place = rest.prefix(3).reduce(0) { $0 << 8 | Int($1) } % count
            let length = Int(rest[rest.startIndex + 3]) % 64 + 1
            let piece = rest.dropFirst(4).prefix(Swift.min(length, count - place))
            replaceSubrange(place..<place + piece.count, with: piece)
            rest = rest.dropFirst(4 + Swift.max(1, piece.count))
        }
    }
}
