// SPDX-License-Identifier: MIT

import Domain
import DurableFiles
import FoundationEssentials
import Glibc
import TerminalKit

/// A value that is a JSON file for its owner alone, read and written as a whole.
protocol OwnFileValue: Codable, Sendable {
    /// The sentence of advice for a file with other content.
    static var remedy: Sentence { get }
    /// False for values that the program never writes.
    var isValid: Bool { get }
}

extension OwnFileValue {
    /// Reads a file; nil if it is missing.
    ///
    /// - Throws: `DomainError.file` for a file that others may write, or with other content.
    static func load(from path: String) throws -> Self? {
        try OwnFile.require(path)
        let content: [UInt8]?
        do { content = try SmallFile.contents(of: path) } catch  where error.isMissing { return nil } catch {
            throw DomainError.file("\(path.printable) cannot be read: \(error.reason). \(remedy)")
        }
        let value = content.flatMap { try? JSONDecoder().decode(Self.self, from: Data($0)) }
        guard let value, value.isValid else { throw DomainError.file("\(path.printable) is damaged. \(remedy)") }
        return value
    }

    /// Writes the file as a whole, for its owner alone.
    func save(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try OutputFile.write(Array(try encoder.encode(self)) + [UInt8(ascii: "\n")], to: path, mode: 0o600)
    }
}

/// Files that this program or a person writes by hand.
enum SmallFile {
    /// Far more than any of them has.
    static let limit = 4_000_000

    /// The bytes; nil for more than ``limit``. A pipe in the file's place counts as an empty file.
    static func contents(of path: String) throws(FileError) -> [UInt8]? {
        try OpenFile.contents(of: path, limit: limit, O_RDONLY | O_NONBLOCK)
    }
}
