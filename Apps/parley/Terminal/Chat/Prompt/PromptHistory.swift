// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import FoundationEssentials
import Glibc
import TerminalKit

/// The lines that were typed at a prompt, in a file for its owner alone: a JSON string a line, the newest last; each
/// line sealed while the app lock is set.
///
/// Several programs may use one file; each entry is added under a lock. The file keeps at most twice ``limit`` entries,
/// and is then replaced by its newest ``limit`` entries. A line that cannot be read is skipped.
struct PromptHistory: Sendable {
    /// The most entries that are remembered.
    static let limit = 1_000
    /// The greatest length of an entry in bytes of UTF-8; a longer line is not stored.
    static let longest = 8_000
    private static let sizeLimit = 64_000_000

    let path: String
    var seal: DataSeal?

    /// The entries, oldest first; empty if there is no file.
    func load() throws -> [String] { Self.entries(try content()).suffix(Self.limit) }

    /// The opened lines; empty if there is no file.
    func content() throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return [] }
            throw failure("read")
        }
        defer { close(descriptor) }
        return plain(try InputStream(descriptor: descriptor).readBytes(limit: Self.sizeLimit) ?? [])
    }

    /// Replaces each line, in the whole file at once.
    func rewrite(_ change: ([UInt8]) throws -> [UInt8]) throws {
        guard access(path, F_OK) == 0 else { return removeLeftovers() }
        let descriptor = try locked()
        defer { close(descriptor) }
        removeLeftovers()
        guard let before = try InputStream(descriptor: descriptor).readBytes(limit: Self.sizeLimit) else { return }
        let after = try Self.lines(before).flatMap { try change($0) + [Self.newline] }
        if after != before { try OutputFile.write(after, to: path, mode: 0o600) }
    }

    /// Removes every entry.
    func remove() throws {
        let descriptor = try? locked()
        defer { if let descriptor { close(descriptor) } }
        removeLeftovers()
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("unlink") }
    }

    /// Adds an entry, unless it equals the last one.
    func add(_ line: String) throws {
        guard !line.isEmpty, line.utf8.count <= Self.longest else { return }
        let descriptor = try locked()
        defer { close(descriptor) }
        let known = try InputStream(descriptor: descriptor).readBytes(limit: Self.sizeLimit)
            .map { Self.entries(plain($0)) }
        guard known?.last != line else { return }
        let encoded = try encoded(line)
        // A file that is too large to read was not written by this type, and is replaced.
        if known.map({ $0.count >= 2 * Self.limit }) ?? true {
            let known = known ?? []
            let kept = try known.suffix(Self.limit - 1).flatMap { try self.encoded($0) }
            return try OutputFile.write(kept + encoded, to: path, mode: 0o600)
        }
        // If a full disk has cut the last line short, the entry begins on a new line.
        var last = Self.newline
        let size = lseek(descriptor, 0, SEEK_END)
        if size > 0 { _ = pread(descriptor, &last, 1, size - 1) }
        let whole = last == Self.newline ? encoded : [Self.newline] + encoded
        do { try OutputStream(descriptor: descriptor).write(whole) } catch { throw failure("write") }
    }

    /// Removes the copies of programs that were killed while they replaced the file; called under its lock.
    private func removeLeftovers() {
        let url = URL(filePath: path)
        let folder = url.deletingLastPathComponent().path
        let prefix = url.lastPathComponent + ".part-"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(prefix) {
            unlink(folder + "/" + name)
        }
    }

    private func encoded(_ line: String) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let json = Array(try encoder.encode(line))
        return try (seal?.seal(line: json) ?? json) + [Self.newline]
    }

    /// Opens sealed lines; others stay as they are.
    private func plain(_ bytes: [UInt8]) -> [UInt8] {
        guard let seal else { return bytes }
        return Self.lines(bytes).flatMap { (seal.open(line: $0) ?? $0) + [Self.newline] }
    }

    private static func entries(_ bytes: [UInt8]) -> [String] {
        lines(bytes).compactMap { try? JSONDecoder().decode(String.self, from: Data($0)) }
    }

    private static func lines(_ bytes: [UInt8]) -> [[UInt8]] { bytes.split(separator: newline).map(Array.init) }

    private static let newline = UInt8(ascii: "\n")

    /// The locked file. If another program replaced the file during the wait, it opens the new one.
    private func locked() throws -> Int32 {
        while true {
            let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw failure("open") }
            var (mine, there) = (stat(), stat())
            guard flock(descriptor, LOCK_EX) == 0, fstat(descriptor, &mine) == 0 else {
                defer { close(descriptor) }
                throw failure("lock")
            }
            if stat(path, &there) == 0, mine.st_ino == there.st_ino, mine.st_dev == there.st_dev { return descriptor }
            close(descriptor)
        }
    }

    private func failure(_ what: String) -> DomainError {
        .file("The inputs in \(path.printable) cannot be used (\(what)): \(String(cString: strerror(errno))).")
    }
}
