// SPDX-License-Identifier: MIT

/// A `multipart/form-data` body (RFC 7578), read strictly.
struct MultipartForm: Sendable, Hashable {
    struct Part: Sendable, Hashable {
        var name: String
        var filename: String?
        var contentType: String?
        var bytes: [UInt8]

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private(set) var parts: [Part] = []

    /// `nil` if the body does not match the content type.
    init?(_ body: [UInt8], contentType: String) {
        guard contentType.lowercased().hasPrefix("multipart/form-data"),
            let boundary = Self.parameter("boundary", of: contentType), !boundary.isEmpty
        else { return nil }
        let mark = Array("\r\n--\(boundary)".utf8)
        // The first mark has no line break before it.
        var rest = ([13, 10] + body)[...]
        guard let first = rest.firstRange(of: mark), first.lowerBound == rest.startIndex else { return nil }
        rest = rest[first.upperBound...]
        while !rest.starts(with: Array("--".utf8)) {
            guard rest.starts(with: [13, 10]), let end = rest.firstRange(of: mark),
                let part = Self.part(rest[rest.startIndex..<end.lowerBound].dropFirst(2))
            else { return nil }
            parts.append(part)
            rest = rest[end.upperBound...]
        }
    }

    subscript(name: String) -> Part? { parts.first { $0.name == name } }

    private static func part(_ bytes: ArraySlice<UInt8>) -> Part? {
        guard let gap = bytes.firstRange(of: [13, 10, 13, 10]) else { return nil }
        var part = Part(name: "", bytes: Array(bytes[gap.upperBound...]))
        var hasName = false
        for line in String(decoding: bytes[bytes.startIndex..<gap.lowerBound], as: UTF8.self).split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = String(line[line.index(after: colon)...].drop { $0 == " " })
            switch line[..<colon].lowercased() {
            case "content-disposition":
                guard value.hasPrefix("form-data"), let name = parameter("name", of: value) else { return nil }
                part.name = name
                part.filename = parameter("filename", of: value)
                hasName = true
            case "content-type": part.contentType = value
            default: break
            }
        }
        return hasName ? part : nil
    }

    /// A parameter of a header's value, with or without quotes.
    private static func parameter(_ name: String, of value: String) -> String? {
        for piece in value.split(separator: ";").dropFirst() {
            let piece = piece.drop { $0 == " " }
            guard piece.lowercased().hasPrefix(name + "=") else { continue }
            let text = piece.dropFirst(name.count + 1)
            return text.hasPrefix("\"") ? String(text.dropFirst().prefix { $0 != "\"" }) : String(text)
        }
        return nil
    }
}

extension ArraySlice<UInt8> {
    /// The range of the first occurrence of these bytes.
    func firstRange(of pattern: [UInt8]) -> Range<Int>? {
        guard let first = pattern.first else { return nil }
        var start = startIndex
        while let place = self[start...].firstIndex(of: first) {
            if self[place...].starts(with: pattern) { return place..<(place + pattern.count) }
            start = place + 1
        }
        return nil
    }
}
