// SPDX-License-Identifier: MIT

extension Unicode.Scalar {
    /// True if the scalar changes the direction of the text around it, or hides such a change (UAX #9 §2; the
    /// deprecated format characters of the Unicode Standard, §23.3).
    var changesDirection: Bool {
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F: true
        default: false
        }
    }

    /// True if the scalar ends a line or drives a terminal: C0, C1, DEL, and the separators of lines and paragraphs.
    var isControl: Bool {
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
    var printable: String {
        guard unicodeScalars.contains(where: { $0.isControl || $0.changesDirection }) else { return self }
        return String(
            String.UnicodeScalarView(
                unicodeScalars.compactMap { $0.changesDirection ? nil : $0.isControl ? " " : $0 }))
    }

    /// The text fit for a terminal with line feeds and tabs, and with colours where they are allowed; nothing else
    /// drives the terminal. The last guard before the terminal: text from outside is ``printable`` before it gets here.
    func drawable(withColors: Bool) -> String {
        guard unicodeScalars.contains(where: { $0.isControl && $0 != "\n" || $0.changesDirection }) else { return self }
        var result = String.UnicodeScalarView()
        var rest = unicodeScalars[...]
        while let scalar = rest.first {
            if scalar == "\u{1B}", withColors, let end = rest.endOfStyle {
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

    /// The text without whitespace and line ends at both ends.
    var trimmingWhitespace: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// The text with every invisible character written out as `\u{202E}`, so that nothing is hidden from a person who
    /// consents.
    var revealed: String {
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
        guard dropFirst().first == "[", parameters.count <= 16, parameters.endIndex < endIndex,
            self[parameters.endIndex] == "m",
            !parameters.split(separator: ";").contains(where: { $0.elementsEqual("8".unicodeScalars) })
        else { return nil }
        return index(after: parameters.endIndex)
    }
}

extension Int {
    /// The number with a noun: "1 day", "2 days".
    func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
