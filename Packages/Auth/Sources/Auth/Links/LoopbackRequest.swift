// SPDX-License-Identifier: MIT

/// The relevant parts of a request to the loopback listener (RFC 9112 §2).
struct LoopbackRequest: Equatable {
    let method: String
    /// The path and the query, as the browser sent them.
    let target: String
    let host: String

    /// The most bytes of a request's header.
    static let byteLimit = 8_192

    /// The result of reading.
    enum Reading: Equatable {
        /// The header is not complete.
        case incomplete
        case complete(LoopbackRequest)
        /// The header is invalid; the status to answer with.
        case refused(Int)
    }

    /// Reads the bytes that have arrived so far.
    static func read(_ bytes: [UInt8]) -> Reading {
        // A body, or another request behind this one, is ignored.
        guard let end = headerEnd(bytes) else { return bytes.count > byteLimit ? .refused(431) : .incomplete }
        guard end <= byteLimit else { return .refused(431) }
        var lines: [ArraySlice<UInt8>] = []
        for line in bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            guard line.last == UInt8(ascii: "\r") else { return .refused(400) }
            lines.append(line.dropLast())
        }
        guard lines.allSatisfy({ $0.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 || $0 >= 0x80 } }),
            let first = lines.first
        else { return .refused(400) }
        let words = first.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, words[2].starts(with: "HTTP/1.".utf8), words[2].count == 8,
            words[1].first == UInt8(ascii: "/"), words[1].allSatisfy({ (0x21...0x7E).contains($0) }),
            words[0].allSatisfy({ (0x41...0x5A).contains($0) }), (1...10).contains(words[0].count)
        else { return .refused(400) }
        let hosts = lines.dropFirst().compactMap(host)
        guard hosts.count == 1 else { return .refused(400) }
        return .complete(
            LoopbackRequest(
                method: String(decoding: words[0], as: UTF8.self), target: String(decoding: words[1], as: UTF8.self),
                host: hosts[0]))
    }

    /// The index after the last header line's end; the empty line follows.
    private static func headerEnd(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for index in 3..<bytes.count where bytes[index] == 0x0A {
            if bytes[index - 1] == 0x0D, bytes[index - 2] == 0x0A, bytes[index - 3] == 0x0D { return index - 2 }
        }
        return nil
    }

    private static func host(_ line: ArraySlice<UInt8>) -> String? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            String(decoding: line[..<colon], as: UTF8.self).lowercased() == "host"
        else { return nil }
        let value = line[line.index(after: colon)...].drop { $0 == 0x20 || $0 == 0x09 }
        return String(decoding: value.prefix { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self)
    }
}
