// SPDX-License-Identifier: MIT

import Digests
import Dispatch
import Glibc

/// The content of an upload: a file, or bytes that exist nowhere in the clear, such as an encrypted recording.
///
/// The bytes must not change while an upload is under way.
public protocol TusSource: Sendable {
    /// The number of bytes.
    var length: Int { get }

    /// Bytes from an offset on.
    ///
    /// - Parameters:
    ///   - offset: From 0 to `length`.
    ///   - count: The number of bytes; fewer are returned only at the source's end.
    /// - Throws: An error that ends the upload; the bytes that the server has stay there.
    func read(at offset: Int, count: Int) async throws -> [UInt8]

    /// Identifies the content, such as its SHA-256: the same for the same upload, also after the program has ended, and
    /// another one for another.
    func fingerprint() async throws -> String
}

extension TusSource {
    /// The idempotency key and the record's key: the SHA-256 of the endpoint's address and the fingerprint.
    func key(at endpoint: String) async throws -> String {
        let text = "\(endpoint)\n\(try await fingerprint())"
        return Hexadecimal.text(try MessageDigest.Algorithm.sha256.networkHash(text.utf8))
    }
}

/// The file to upload, read on a queue of its own because disks block.
final class TusFile: TusSource {
    let length: Int
    private let descriptor: Int32
    private let path: String
    private let queue = DispatchQueue(label: "networking.upload-file")

    /// - Throws: `NetworkError` with the code `file`.
    init(path: String) throws(NetworkError) {
        self.path = path
        descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            if descriptor >= 0 { Glibc.close(descriptor) }
            throw NetworkError(code: .file, message: "\(path) cannot be read as a file. Check path and permissions.")
        }
        length = Int(status.st_size)
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Bytes from an offset on; fewer at the end.
    ///
    /// - Throws: `NetworkError` with the code `file` if the file has become shorter or the disk fails.
    func read(at offset: Int, count: Int) async throws -> [UInt8] {
        let wanted = min(count, length - offset)
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in continuation.resume(with: Result { try blockingRead(offset, wanted) }) }
        }
    }

    /// The SHA-256 of the content, in hexadecimal.
    func fingerprint() async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in continuation.resume(with: Result { try blockingHash() }) }
        }
    }

    private func blockingRead(_ offset: Int, _ count: Int) throws -> [UInt8] {
        var done = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while done < count {
                let result = pread(descriptor, buffer.baseAddress.map { $0 + done }, count - done, off_t(offset + done))
                if result < 0, errno == EINTR { continue }
                guard result > 0 else { break }
                done += result
            }
            initialized = done
        }
        guard done == count else {
            throw NetworkError(
                code: .file, message: "\(path) has changed or cannot be read any more. Start the upload again.")
        }
        return bytes
    }

    private func blockingHash() throws -> String {
        var digest: MessageDigest
        do throws(DigestError) { digest = try MessageDigest(.sha256) } catch { throw NetworkError(error) }
        var offset = 0
        while offset < length {
            let piece = try blockingRead(offset, min(1 << 20, length - offset))
            piece.withUnsafeBytes { digest.update($0) }
            offset += piece.count
        }
        return Hexadecimal.text(digest.finish())
    }
}
