// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

/// Upload records as one small JSON file each, replaced as a whole: written beside, synced, renamed.
public struct FileTusUploadStore: TusUploadStore {
    private let folder: String

    /// A store in a folder, which must exist.
    public init(folder: String) {
        self.folder = folder
    }

    /// The record of a key, or `nil`.
    public func record(for key: String) async throws -> TusUploadRecord? {
        guard let data = try? Data(contentsOf: URL(filePath: path(key))),
            let record = try? JSONDecoder().decode(TusUploadRecord.self, from: data), record.key == key
        else { return nil }
        return record
    }

    /// Stores a record. It is on the disk when this returns.
    public func save(_ record: TusUploadRecord) async throws {
        let bytes = Array(try JSONEncoder().encode(record))
        let target = path(record.key)
        let temporary = target + ".new"
        let descriptor = Glibc.open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(target) }
        let isWritten = write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        guard Glibc.close(descriptor) == 0, isWritten, rename(temporary, target) == 0 else {
            throw Self.failure(target)
        }
        // The new name is on the disk only once its folder is.
        let parent = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if parent >= 0 {
            fsync(parent)
            Glibc.close(parent)
        }
    }

    /// Forgets a record.
    public func remove(_ key: String) async throws {
        if unlink(path(key)) != 0, errno != ENOENT { throw Self.failure(path(key)) }
    }

    /// Keys are hexadecimal; anything else is made so, lest it lead out of the folder.
    private func path(_ key: String) -> String {
        let name = key.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            return character.isASCII && (character.isLetter || character.isNumber) ? String(character) : "_\(byte)"
        }
        return folder + "/" + name.joined() + ".json"
    }

    private static func failure(_ path: String) -> NetworkError {
        let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
        return NetworkError(
            code: .file, message: "The upload's record \(path) cannot be written: \(reason). Check folder and disk.")
    }
}
