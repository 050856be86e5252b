// SPDX-License-Identifier: MIT

import DurableFiles
import FoundationEssentials
import Glibc
import Security

/// A damaged file that was set aside: sealed byte by byte, since its pages cannot be read.
enum AsideFile {
    static let suffix = ".sealed"
    /// Of a copy that is not complete.
    private static let partial = ".partial"
    private static let piece = 1 << 16

    /// Replaces a file by its sealed copy.
    static func seal(_ path: String, with key: AppLockKey) async throws {
        guard !path.hasSuffix(suffix) else { return }
        guard !path.hasSuffix(partial) else {
            unlink(path)
            return
        }
        let plain = try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
        let target = path + suffix
        // A program that was interrupted left it, before it deleted the plain file.
        unlink(target)
        let writer = try await SealedFileWriter.create(
            at: target, key: try key.key(for: "files"), context: name(path))
        do {
            for start in stride(from: 0, to: plain.count, by: piece) {
                try await writer.append(plain[start..<min(start + piece, plain.count)])
            }
            try await writer.finish()
        } catch {
            unlink(target)
            throw error
        }
        unlink(path)
    }

    /// Replaces a sealed copy by the original file.
    static func unseal(_ sealed: String, with key: AppLockKey) async throws {
        let path = String(sealed.dropLast(suffix.count))
        let reader = try await SealedFileReader.open(sealed, key: try key.key(for: "files"), context: name(path))
        // The sealed one may be the only whole copy.
        let copy = path + partial
        unlink(copy)
        do {
            let plain = try OpenFile(copy, O_WRONLY | O_CREAT | O_EXCL)
            var offset = 0
            while case let bytes = try await reader.read(at: offset, maximum: piece), !bytes.isEmpty {
                try plain.write(Array(bytes))
                offset += bytes.count
            }
            try DurableFile.move(copy, to: path)
        } catch {
            unlink(copy)
            throw error
        }
        unlink(sealed)
    }

    private static func name(_ path: String) -> [UInt8] { Array(path.split(separator: "/").last?.utf8 ?? "".utf8[...]) }
}
