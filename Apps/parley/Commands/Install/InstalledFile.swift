// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import TerminalKit

/// A file that parley install writes for another program, and parley uninstall removes.
struct InstalledFile: Sendable {
    /// The first line of each file.
    static let header = "# Written by parley install; parley uninstall removes it."

    let folder: String
    let name: String

    var path: String { folder + "/" + name }

    /// Writes the file, and makes its folder if it is missing.
    func write(_ text: String) throws {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw DomainError.file(
                "The folder \(folder.printable) cannot be created. Check the permissions of the folder above it.")
        }
        try OutputFile.write(text, to: path)
    }

    /// True if it is there.
    ///
    /// - Throws: `DomainError` when somebody else wrote it.
    func isInstalled() throws -> Bool {
        guard let content = try? SmallFile.contents(of: path) else { return false }
        guard String(decoding: content, as: UTF8.self).hasPrefix(Self.header) else {
            throw DomainError.file("\(path.printable) was not written by parley install. Remove it yourself.")
        }
        return true
    }

    func remove() throws {
        do { try FileManager.default.removeItem(atPath: path) } catch {
            throw DomainError.file("\(path.printable) cannot be removed. Check who may write in its folder.")
        }
    }
}
