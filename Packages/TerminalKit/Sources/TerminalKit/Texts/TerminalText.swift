// SPDX-License-Identifier: MIT

extension Unicode.Scalar {
    /// True if the scalar changes the direction of the text around it, or hides such a change (UAX #9 §2; the
    /// deprecated format characters of the Unicode Standard, §23.3).
    public var changesDirection: Bool {
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F: true
        default: false
        }
    }

    /// True if the scalar ends a line or drives a terminal: C0, C1, DEL, and the separators of lines and paragraphs.
    public var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        default: false
        }
    }

    /// True if the scalar is invisible, or looks like a space.
    fileprivate var isHidden: Bool {
        if properties.isDefaultIgnorableCodePoint { return true }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return true
        case .spaceSeparator: return self != " "
        default: return false
        }
    }
}

extension String {
    /// The text on one line, fit for a terminal: control characters become spaces, those that change the direction are
    /// removed.
    public var printable: String {
        guard unicodeScalars.contains(where: { $0.isControl || $0.changesDirection }) else { return self }
        return String(
            String.UnicodeScalarView(
                unicodeScalars.compactMap { $0.changesDirection ? nil : $0.isControl ? " " : $0 }))
    }

    /// The text fit for a terminal with line feeds and tabs, and with colours where they are allowed; nothing else
    /// drives the terminal. The last guard before the terminal: text from outside is ``printable`` before it gets here.
    /// Of what changes the direction, only an isolate that ends on its line stays (``isolated``).
    public func drawable(withColors: Bool) -> String {
        guard unicodeScalars.contains(where: { $0.isControl && $0 != "\n" || $0.changesDirection }) else { return self }
        var result = String.UnicodeScalarView()
        var rest = unicodeScalars[...]
        while let scalar = rest.first {
            if scalar == "\u{1B}", withColors, let end = rest.endOfStyle {
                result.append(contentsOf: rest[..<end])
                rest = rest[end...]
                continue
            }
            if scalar == Self.isolateStart, let end = rest.endOfIsolate {
                result.append(contentsOf: rest[..<end])
                rest = rest[end...]
                continue
            }
            rest.removeFirst()
            if scalar == "\n" || scalar == "\t" || !scalar.isControl, !scalar.changesDirection {
                result.append(scalar)
            } else if scalar.isControl, scalar != "\r" {
                result.append(" ")
            }
        }
        return String(result)
    }

    /// The text with every invisible character written out as `\u{202E}`, so that nothing is hidden from a person who
    /// consents.
    public var revealed: String {
        guard unicodeScalars.contains(where: \.isHidden) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isHidden {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Substring.UnicodeScalarView {
    /// The end of a Select Graphic Rendition at the beginning (ECMA-48 §8.3.117); nil if there is none, or one that
    /// conceals.
    fileprivate var endOfStyle: Index? {
        let parameters = dropFirst(2).prefix { ("0"..."9").contains($0) || $0 == ";" }
        guard dropFirst().first == "[", parameters.count <= 64, parameters.endIndex < endIndex,
            self[parameters.endIndex] == "m", !Self.conceals(parameters)
        else { return nil }
        return index(after: parameters.endIndex)
    }

    /// True if a parameter conceals: 8, unless it is a number of a colour.
    private static func conceals(_ parameters: Self) -> Bool {
        var numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int(String($0)) ?? 0 }[
            ...]
        while let number = numbers.popFirst() {
            if number == 8 { return true }
            guard number == 38 || number == 48, let kind = numbers.popFirst() else { continue }
            numbers = numbers.dropFirst(kind == 2 ? 3 : kind == 5 ? 1 : 0)
            if kind == 8 { return true }
        }
        return false
    }

    /// The end of an isolate at the beginning that holds no control, and nothing else that changes the direction.
    fileprivate var endOfIsolate: Index? {
        guard let end = dropFirst().firstIndex(where: { $0.isControl || $0.changesDirection }),
            self[end] == String.isolateEnd
        else { return nil }
        return index(after: end)
    }
}

extension String {
    /// FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE (UAX #9 §2.5).
    fileprivate static let (isolateStart, isolateEnd): (Unicode.Scalar, Unicode.Scalar) = ("\u{2068}", "\u{2069}")

    /// The text on one line, isolated where it has letters that are written from right to left, so that it does not
    /// reorder the text around it (UAX #9 §2.5).
    public var isolated: String {
        let text = printable
        guard text.unicodeScalars.contains(where: \.isRightToLeft) else { return text }
        return "\u{2068}\(text)\u{2069}"
    }
}

extension Unicode.Scalar {
    /// True for a letter of the blocks whose characters are written from right to left by default (UAX #9, table 4).
    fileprivate var isRightToLeft: Bool {
        switch value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
