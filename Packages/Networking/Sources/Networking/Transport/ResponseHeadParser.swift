// SPDX-License-Identifier: MIT

/// Builds a response's header from lines. Interim (1xx) responses precede it, any number within the limit on the size
/// of all together (RFC 9110 §15.2).
struct ResponseHeadParser {
    /// The result of a line.
    enum Event {
        /// More lines are needed.
        case more
        /// An interim response is over.
        case interim(status: Int)
        /// The final response's header is complete.
        case head(ResponseHead)
        /// A field after the body.
        case trailer(HTTPHeaders.Field)
        /// The header is over this limit, in bytes.
        case tooLarge(Int)
        /// Not HTTP.
        case failure(String)
    }

    private var head: ResponseHead?
    private var isComplete = false
    private var size = 0
    private let maximumSize: Int

    init(maximumSize: Int = 256 << 10) {
        self.maximumSize = maximumSize
    }

    /// Takes one line with its line end.
    mutating func push(_ line: UnsafeRawBufferPointer) -> Event {
        size += line.count
        guard size <= maximumSize else { return .tooLarge(maximumSize) }
        let content = Self.trimmed(line)
        guard head != nil else {
            return line.starts(with: "HTTP/".utf8)
                ? startHead(content) : .failure("The response has no status line")
        }
        if content.isEmpty { return isComplete ? .more : endHead() }
        if line[0] == 0x20 || line[0] == 0x09 {
            // A folded line (RFC 9112 §5.2) continues the last field's value.
            guard !isComplete, let last = head?.headers.last else { return .more }
            head?.headers.replaceLast(with: last.value + " " + Self.text(content))
            return .more
        }
        guard let colon = content.firstIndex(of: UInt8(ascii: ":")), colon > content.startIndex else {
            return .failure("The response's header has a line without a name")
        }
        // A space before the colon has to be removed (RFC 9112 §5.1).
        let name = Self.text(Self.trimmed(UnsafeRawBufferPointer(rebasing: content[..<colon])))
        let value = Self.text(Self.trimmed(UnsafeRawBufferPointer(rebasing: content[(colon + 1)...])))
        if isComplete { return .trailer(.init(name: name, value: value)) }
        head?.headers.add(name: name, value: value)
        return .more
    }

    // HTTP/1.1 200 OK; HTTP/2 and later have no minor version, and no reason.
    private mutating func startHead(_ line: Slice<UnsafeRawBufferPointer>) -> Event {
        var rest = line.dropFirst(5)
        let major = Self.takeNumber(&rest)
        var minor: Int? = 0
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            minor = Self.takeNumber(&rest)
        }
        let spaces = rest.prefix { $0 == 0x20 }
        rest = rest.dropFirst(spaces.count)
        guard let major, let minor, !spaces.isEmpty, let status = Self.takeNumber(&rest),
            (100...999).contains(status), rest.first ?? 0x20 == 0x20
        else { return .failure("The response's status line is not one of HTTP") }
        head = ResponseHead(status: status, version: HTTPVersion(major: major, minor: minor), headers: [:])
        return .more
    }

    // The digits that follow; no number has more than three.
    private static func takeNumber(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Int? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private mutating func endHead() -> Event {
        guard let head, head.status != 101 else {
            return .failure("The server switched protocols without a request for it")
        }
        if head.status < 200 {
            self.head = nil
            return .interim(status: head.status)
        }
        size = 0
        isComplete = true
        return .head(head)
    }

    private static func trimmed(_ line: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
        guard let start = line.firstIndex(where: { !isSpace($0) }), let end = line.lastIndex(where: { !isSpace($0) })
        else { return line[line.endIndex...] }
        return line[start...end]
    }

    // Fields are bytes; invalid UTF-8 is read as ISO 8859-1, as HTTP first defined it.
    private static func text(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

/// The header of one response.
struct ResponseHead: Sendable {
    var status: Int
    var version: HTTPVersion
    var headers: HTTPHeaders
    var timings = HTTPTimings()
}
