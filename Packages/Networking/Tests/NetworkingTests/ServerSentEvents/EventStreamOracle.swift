// SPDX-License-Identifier: MIT

import Networking

/// The standard's algorithm word for word, over a whole stream: slow, plain, and independent of the parser.
struct EventStreamOracle {
    var events: [ServerSentEvent] = []
    var retry: Int?
    var lastEventID = ""

    init(_ bytes: [UInt8]) {
        var text = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        if text.first == "\u{FEFF}" { text.removeFirst() }
        var data = ""
        var type = ""
        var identifier = ""
        for line in Self.lines(text) {
            guard !line.isEmpty else {
                lastEventID = identifier
                if !data.isEmpty {
                    data.unicodeScalars.removeLast()
                    events.append(.init(type: type.isEmpty ? "message" : type, data: data, lastEventID: lastEventID))
                }
                data = ""
                type = ""
                continue
            }
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            let name = Self.string(line[..<colon])
            var rest = line[colon...].dropFirst()
            if rest.first == " " { rest = rest.dropFirst() }
            let value = Self.string(rest)
            switch name {
            case "data": data += value + "\n"
            case "event": type = value
            case "id" where !value.unicodeScalars.contains("\0"): identifier = value
            case "retry" where !value.isEmpty && value.utf8.allSatisfy { (48...57).contains($0) }: retry = Int(value)
            default: break
            }
        }
    }

    /// The complete lines.
    private static func lines(_ text: [Unicode.Scalar]) -> [ArraySlice<Unicode.Scalar>] {
        var lines: [ArraySlice<Unicode.Scalar>] = []
        var start = 0
        var index = 0
        while index < text.count {
            if text[index] == "\r" || text[index] == "\n" {
                lines.append(text[start..<index])
                if text[index] == "\r", index + 1 < text.count, text[index + 1] == "\n" { index += 1 }
                start = index + 1
            }
            index += 1
        }
        return lines
    }

    private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
