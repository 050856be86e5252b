// SPDX-License-Identifier: MIT

import Persistence
import TestKit
import Testing

@Suite struct IncrementalBlobTests {
    private let folder: TemporaryFolder
    private let database: Database

    init() async throws {
        folder = try TemporaryFolder()
        database = try await Database(at: folder.database)
        try await database.write { connection in
            try connection.execute("CREATE TABLE recording (id INTEGER PRIMARY KEY, bytes BLOB, note TEXT) STRICT")
            try connection.execute("INSERT INTO recording VALUES (1, zeroblob(\(1_000_000)), NULL)")
        }
    }

    @Test func partsAreWrittenAndRead() async throws {
        try await database.write { connection in
            try connection.withBlob(table: "recording", column: "bytes", rowID: 1, isWritable: true) { blob in
                for offset in stride(from: 0, to: 1_000_000, by: 50_000) {
                    try blob.write([UInt8](repeating: UInt8(offset / 50_000), count: 50_000), at: offset)
                }
            }
        }
        let parts = try await database.read { connection in
            try connection.withBlob(table: "recording", column: "bytes", rowID: 1) { blob in
                (
                    blob.count, try blob.read(at: 49_999, count: 2), try blob.read(at: 999_999, count: 1),
                    try blob.read(at: 1_000_000, count: 0)
                )
            }
        }
        #expect(parts == (1_000_000, [0, 1], [19], []))
    }

    @Test func whatIsUndoneIsNotWritten() async throws {
        struct Unwanted: Error {}
        await #expect(throws: Unwanted.self) {
            try await database.write { connection in
                try connection.withBlob(table: "recording", column: "bytes", rowID: 1, isWritable: true) { blob in
                    try blob.write([9], at: 0)
                }
                throw Unwanted()
            }
        }
        let first = try await database.read { connection in
            try connection.withBlob(table: "recording", column: "bytes", rowID: 1) { try $0.read(at: 0, count: 1) }
        }
        #expect(first == [0])
    }

    @Test func whatIsNotThereIsSaid() async throws {
        let uses: [(DatabaseError.Code, @Sendable (Connection) throws -> Void)] = [
            (.notFound, { try $0.withBlob(table: "recording", column: "bytes", rowID: 7) { _ in } }),
            (.invalidSQL, { try $0.withBlob(table: "recording", column: "none", rowID: 1) { _ in } }),
            (.invalidSQL, { try $0.withBlob(table: "none", column: "bytes", rowID: 1) { _ in } }),
            (.invalidSQL, { try $0.withBlob(table: "recording", column: "note", rowID: 1) { _ in } }),
            (
                .invalidValue,
                { connection in
                    try connection.withBlob(table: "recording", column: "bytes", rowID: 1) { blob in
                        _ = try blob.read(at: 999_999, count: 2)
                    }
                }
            ),
            (
                .invalidValue,
                { connection in
                    try connection.withBlob(table: "recording", column: "bytes", rowID: 1) { blob in
                        _ = try blob.read(at: -1, count: 1)
                    }
                }
            ),
            (
                .readOnly,
                { connection in
                    try connection.withBlob(table: "recording", column: "bytes", rowID: 1, isWritable: true) { blob in
                        try blob.write([1], at: 0)
                    }
                }
            ),
        ]
        for (index, (expected, use)) in uses.enumerated() {
            #expect(await code { try await database.read(use) } == expected, "use \(index)")
        }
        let changed = await code {
            try await database.write { connection in
                try connection.withBlob(table: "recording", column: "bytes", rowID: 1) { blob in
                    try connection.execute("UPDATE recording SET note = 'changed'")
                    _ = try blob.read(at: 0, count: 1)
                }
            }
        }
        #expect(changed == .transactionEnded)
    }

    @Test func aWrittenBlobIsObserved() async throws {
        let observation = database.observe { connection in
            try connection.first("SELECT sum(length(bytes)) FROM recording", as: Int.self)
        }
        var values = observation.makeAsyncIterator()
        _ = try await values.next()
        try await database.write { connection in
            try connection.withBlob(table: "recording", column: "bytes", rowID: 1, isWritable: true) { blob in
                try blob.write([9], at: 0)
            }
        }
        #expect(try await values.next() != nil)
    }
}
