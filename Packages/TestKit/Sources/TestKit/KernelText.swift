// SPDX-License-Identifier: MIT

import Glibc

/// All of a file of the kernel's (proc(5)). Such a file has no size, and Foundation takes its first page for the whole.
///
/// - Throws: ``KernelTextFailure`` if it cannot be read.
public func kernelText(_ path: String) throws -> String {
    guard let file = fopen(path, "re") else { throw KernelTextFailure(path: path, code: errno) }
    defer { fclose(file) }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { text += piece[..<count] }
    return String(decoding: text, as: UTF8.self)
}

/// A file of the kernel's that cannot be read.
public struct KernelTextFailure: Error {
    /// The file.
    public let path: String
    /// The error of the system (errno(3)).
    public let code: Int32
}
