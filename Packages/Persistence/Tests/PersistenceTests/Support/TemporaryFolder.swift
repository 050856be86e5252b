// SPDX-License-Identifier: MIT

import Foundation
import Persistence

/// A folder that lives as long as its test.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("parley-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var database: String { file("test.sqlite") }

    func file(_ name: String) -> String { path + "/" + name }

    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: file(name)))) }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    }

    func size(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
        return (attributes[.size] as? NSNumber)?.intValue ?? -1
    }

    func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }
}

extension Database {
    /// Every statement of the schema, sorted by name.
    func schema() async throws -> [String] {
        try await read { connection in
            try connection.query("SELECT name, coalesce(sql, '') FROM sqlite_schema ORDER BY name") { row in
                "\(try row.string(0)): \(try row.string(1))"
            }
        }
    }
}

/// The code of the ``DatabaseError`` that a closure throws.
func code(of body: () async throws -> Void) async -> DatabaseError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? DatabaseError)?.code
    }
}
