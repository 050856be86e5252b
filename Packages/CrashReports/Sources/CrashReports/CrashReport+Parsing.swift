// SPDX-License-Identifier: MIT

extension CrashReport {
    private static let mostItems = 4_096

    /// Reads a report. A line that is unknown or damaged is left out; control characters are replaced, so that a
    /// manipulated report cannot move a terminal's cursor. Takes linear time.
    ///
    /// - Throws: `notAReport` if the first line is another one.
    public init(bytes: some Collection<UInt8>) throws(CrashReportError) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard let first = lines.first, first.elementsEqual("crash-report 1".utf8) else {
            throw CrashReportError(.notAReport, "The file is no crash report of this version. Delete it.")
        }
        // The text behind the last line break is half a line.
        for line in lines.dropFirst().dropLast() {
            let scalars = String(decoding: line, as: UTF8.self).unicodeScalars.map(Self.shown)
            let text = String(String.UnicodeScalarView(scalars))
            guard let space = text.firstIndex(of: " ") else {
                isComplete = isComplete || text == "end"
                continue
            }
            take(text[..<space], text[text.index(after: space)...])
        }
    }

    private mutating func take(_ key: Substring, _ value: Substring) {
        switch key {
        case "version": version = String(value)
        case "program": program = String(value)
        case "architecture": architecture = String(value)
        case "time": time = Int64(value) ?? time
        case "process": process = Int64(value) ?? process
        case "thread": thread = Int64(value) ?? thread
        case "thread-name": threadName = String(value)
        case "signal": signal = Int32(value) ?? signal
        case "code": code = Int32(value) ?? code
        case "address": address = Self.number(value)
        case "register": append(Self.register(value), to: \.registers)
        case "frame": append(Self.frame(value), to: \.frames)
        case "module": append(Self.module(value), to: \.modules)
        case "log": append(String(value), to: \.log)
        default: break
        }
    }

    private mutating func append<Item>(_ item: Item?, to list: WritableKeyPath<CrashReport, [Item]>) {
        guard let item, self[keyPath: list].count < Self.mostItems else { return }
        self[keyPath: list].append(item)
    }

    private static func register(_ value: Substring) -> Register? {
        let fields = value.split(separator: " ")
        guard fields.count == 2, fields[1] == "-" || number(fields[1]) != nil else { return nil }
        return Register(name: String(fields[0]), value: number(fields[1]))
    }

    private static func frame(_ value: Substring) -> Frame? {
        let fields = value.split(separator: " ")
        guard fields.count == 2, let kind = Frame.Kind(rawValue: String(fields[0])), let address = number(fields[1])
        else { return nil }
        return Frame(kind: kind, address: address)
    }

    private static func module(_ value: Substring) -> Module? {
        let fields = value.split(separator: " ", maxSplits: 4)
        guard fields.count == 5, let start = number(fields[0]), let end = number(fields[1]), start < end,
            let bias = number(fields[2]), fields[4].hasPrefix("/")
        else { return nil }
        let isBuildID = fields[3].utf8.count <= 64 && fields[3].allSatisfy { $0.isHexDigit && $0.isASCII }
        guard isBuildID || fields[3] == "-" else { return nil }
        let buildID = isBuildID ? String(fields[3]) : nil
        return Module(range: start..<end, bias: bias, buildID: buildID, path: String(fields[4]))
    }

    private static func number(_ text: Substring) -> UInt64? {
        text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : nil
    }

    private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
        default: scalar
        }
    }
}
