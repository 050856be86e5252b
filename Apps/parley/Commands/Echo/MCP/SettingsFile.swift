// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Glibc
import StructuredJSON
import TerminalKit

/// A JSON object in a file for its owner alone, which people and other programs may write to as well: unknown members
/// stay, in their order.
struct SettingsFile: Sendable {
    private static let sizeLimit = 4_000_000

    let path: String
    /// Advice for a broken file.
    let remedy: Sentence

    /// The object; empty if there is no file.
    ///
    /// - Throws: `DomainError.file` with the line and column of invalid JSON, or if other users can write to the file.
    func load() throws -> JSONObject {
        try OwnFile.require(path)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return [:] }
            throw DomainError.file("\(path.printable) cannot be read: \(String(cString: strerror(errno))).")
        }
        defer { close(descriptor) }
        guard let bytes = try InputStream(descriptor: descriptor).readBytes(limit: Self.sizeLimit) else {
            throw DomainError.file("\(path.printable) is too large for settings. \(remedy)")
        }
        let value: JSONValue
        do throws(JSONParsingError) { value = try JSONValue(parsing: bytes) } catch {
            throw damaged(Sentence(verbatim: Self.place(of: error, in: bytes)))
        }
        guard let object = value.object else { throw damaged("line 1: an object was expected") }
        return object
    }

    /// Changes the object under the lock of this file, and replaces the file as a whole. A change that adds nothing does not
    /// make a missing file.
    func update<Value>(_ change: (inout JSONObject) throws -> Value) throws -> Value {
        if AppPaths.isMissing(path) {
            var object = try load()
            let value = try change(&object)
            if object.isEmpty { return value }
        }
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else {
            throw DomainError.file("\(path.printable) cannot be locked: \(String(cString: strerror(errno))).")
        }
        defer { close(lock) }
        var object = try load()
        let value = try change(&object)
        try OutputFile.write(Array((JSONValue.object(object).indented + "\n").utf8), to: path, mode: 0o600)
        // An existing file would keep its mode, which another program may have chosen.
        chmod(path, 0o600)
        return value
    }

    /// The error that names the file, the problem and the remedy.
    func damaged(_ problem: Sentence) -> DomainError {
        .file("\(path.printable), \(problem). \(remedy)")
    }

    private static func place(of error: JSONParsingError, in bytes: [UInt8]) -> String {
        let before = bytes.prefix(error.offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = before.count - ((before.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1) + 1
        return "line \(line), column \(column): \(error.problem)"
    }
}

extension JSONValue {
    /// The value on lines of its own, members and elements indented.
    var indented: String { indented(by: "") }

    private func indented(by indent: String) -> String {
        let deeper = indent + "  "
        switch self {
        case .object(let object) where !object.isEmpty:
            let members = object.map { "\(deeper)\(JSONValue.string($0.name).text): \($0.value.indented(by: deeper))" }
            return "{\n\(members.joined(separator: ",\n"))\n\(indent)}"
        case .array(let elements) where elements.contains(where: { $0.array != nil || $0.object != nil }):
            let lines = elements.map { deeper + $0.indented(by: deeper) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
        case .array(let elements): return "[\(elements.map(\.text).joined(separator: ", "))]"
        default: return text
        }
    }
}
