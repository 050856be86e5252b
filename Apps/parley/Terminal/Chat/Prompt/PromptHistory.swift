// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Glibc

/// What was typed at a prompt before, in a file for its owner alone: a JSON string a line, the newest last.
///
/// Several programs may use one file; each entry is added under a lock. The file keeps at most twice ``limit`` entries, and
/// is cut to the newest ``limit`` of them by replacing it as a whole. A line that cannot be read is passed over.
struct PromptHistory: Sendable {
    /// How many entries are remembered.
    static let limit = 1_000
    /// An entry that is longer is not remembered.
    static let longest = 8_000
    private static let sizeLimit = 64_000_000

    let path: String

    /// The entries, oldest first; none where there is no file.
    func load() throws -> [String] { Self.entries(try content()).suffix(Self.limit) }

    /// The file as it is; nothing where there is none.
    func content() throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return [] }
            throw failure("read")
        }
        defer { close(descriptor) }
        return try InputStream(descriptor: descriptor).readBytes(limit: Self.sizeLimit) ?? []
    }

    /// Removes every entry.
    func remove() throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("removed") }
    }

    /// Adds an entry, unless it is the last one again.
    func add(_ line: String) throws {
        guard !line.isEmpty, line.utf8.count <= Self.longest else { return }
        let descriptor = try locked()
        defer { close(descriptor) }
        let known = try InputStream(descriptor: descriptor).readBytes(limit: Self.sizeLimit).map(Self.entries)
        guard known?.last != line else { return }
        let encoded = try encoded(line)
        // What is so large was not written by this, and is given up.
        if known.map({ $0.count >= 2 * Self.limit }) ?? true {
            let known = known ?? []
            let kept = try known.suffix(Self.limit - 1).flatMap { try self.encoded($0) }
            return try OutputFile.write(kept + encoded, to: path, mode: 0o600)
        }
        // A line that was cut short by a full disk must not take this one with it.
        var last: UInt8 = UInt8(ascii: "\n")
        let size = lseek(descriptor, 0, SEEK_END)
        if size > 0 { _ = pread(descriptor, &last, 1, size - 1) }
        let whole = last == UInt8(ascii: "\n") ? encoded : [UInt8(ascii: "\n")] + encoded
        do { try OutputStream(descriptor: descriptor).write(whole) } catch { throw failure("written") }
    }

    private func encoded(_ line: String) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return Array(try encoder.encode(line)) + [UInt8(ascii: "\n")]
    }

    private static func entries(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap {
            try? JSONDecoder().decode(String.self, from: Data($0))
        }
    }

    /// The file, locked. Who waited while another program replaced it looks again for the one that is there.
    private func locked() throws -> Int32 {
        while true {
            let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw failure("opened") }
            var (mine, there) = (stat(), stat())
            guard flock(descriptor, LOCK_EX) == 0, fstat(descriptor, &mine) == 0 else {
                defer { close(descriptor) }
                throw failure("locked")
            }
            if stat(path, &there) == 0, mine.st_ino == there.st_ino, mine.st_dev == there.st_dev { return descriptor }
            close(descriptor)
        }
    }

    private func failure(_ what: String) -> DomainError {
        .file("The inputs in \(path.printable) cannot be \(what): \(String(cString: strerror(errno))).")
    }
}
