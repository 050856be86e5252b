// SPDX-License-Identifier: MIT

import Glibc

/// What the file at `path` holds; nothing if it cannot be read.
public func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer.prefix(count) }
    return bytes
}

/// Makes `bytes` the content of the file at `path`; ends the fuzzer if that cannot be done.
public func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "wb") else { preconditionFailure("cannot write \(path)") }
    precondition(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
}

extension [UInt8] {
    /// Puts pieces of the input in other places: three bytes say where, one how long, and the piece follows.
    public mutating func change(by input: ArraySlice<UInt8>) {
        var rest = input
        while rest.count > 4, !isEmpty {
            let place = rest.prefix(3).reduce(0) { $0 << 8 | Int($1) } % count
            let length = Int(rest[rest.startIndex + 3]) % 64 + 1
            let piece = rest.dropFirst(4).prefix(Swift.min(length, count - place))
            replaceSubrange(place..<place + piece.count, with: piece)
            rest = rest.dropFirst(4 + Swift.max(1, piece.count))
        }
    }
}
