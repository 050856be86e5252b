// SPDX-License-Identifier: MIT

import DurableFiles
import Glibc

/// The texts of a `.po` file (GNU gettext manual, "The Format of PO Files"), for a program that runs in its checkout, where nothing has
/// compiled the catalogues. It is read as a whole, which takes some milliseconds; ``CatalogueTables`` is for all other cases.
struct CatalogueSource: Sendable {
    /// The forms of each text by its key in a `.mo` file, with the header under the empty key. Fuzzy and obsolete texts, and those without a
    /// translation, are left out.
    let texts: [String: [String]]

    init(path: String) throws(LocalizationError) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try OpenFile(path, O_RDONLY | O_NONBLOCK).contents(limit: MappedFile.sizeLimit) ?? []
        } catch {
            throw LocalizationError(
                error.isMissing ? .notFound : .file, "\(error) Check the path and the rights of the catalogue.",
                cause: error)
        }
        guard !bytes.isEmpty else {
            throw LocalizationError(
                .damaged, "\(path) is empty, or larger than \(MappedFile.sizeLimit) bytes. Restore the file.")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw LocalizationError(.encoding, "\(path) is not in UTF-8. Convert it with msgconv --to-code=UTF-8.")
        }
        var reader = Reader()
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            guard reader.read(line) else {
                throw LocalizationError(
                    .damaged,
                    "Line \(index + 1) of \(path) is damaged. msgfmt --check says more; repair or restore the file.")
            }
        }
        reader.endEntry()
        texts = reader.texts
    }
}

/// Reads a `.po` file line by line.
private struct Reader {
    private(set) var texts: [String: [String]] = [:]
    private var parts: [String: [UInt8]] = [:]
    private var part = ""
    private var isFuzzy = false

    /// Takes a line; false if it is damaged.
    mutating func read(_ line: Substring.UTF8View) -> Bool {
        let line = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        switch line.first {
        case nil: return true
        case UInt8(ascii: "#"):
            if parts["msgstr"] != nil || parts["msgstr[0]"] != nil { endEntry() }
            if line.dropFirst().first == UInt8(ascii: ","), String(line)?.contains("fuzzy") == true { isFuzzy = true }
            return true
        case UInt8(ascii: "\""): return !part.isEmpty && append(line)
        default:
            guard let end = line.firstIndex(of: UInt8(ascii: "\"")), let word = String(line[..<end]) else {
                return false
            }
            let name = word.filter { $0 != " " && $0 != "\t" }
            let isStart = name == "msgctxt" || name == "msgid" && part != "msgctxt"
            if isStart, !parts.isEmpty { endEntry() }
            let isKnown = ["msgctxt", "msgid", "msgid_plural", "msgstr"].contains(name) || name.hasPrefix("msgstr[")
            guard isKnown, parts[name] == nil else { return false }
            part = name
            parts[part] = []
            return append(line[end...])
        }
    }

    /// Adds what stands between the quotes.
    private mutating func append(_ quoted: Substring.UTF8View) -> Bool {
        var bytes = quoted.dropFirst()[...]
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return bytes.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
            case UInt8(ascii: "\\"):
                switch bytes.popFirst() {
                case UInt8(ascii: "n"): parts[part]?.append(UInt8(ascii: "\n"))
                case UInt8(ascii: "t"): parts[part]?.append(UInt8(ascii: "\t"))
                case UInt8(ascii: "r"): parts[part]?.append(UInt8(ascii: "\r"))
                case let other? where other == UInt8(ascii: "\\") || other == UInt8(ascii: "\""):
                    parts[part]?.append(other)
                default: return false
                }
            default: parts[part]?.append(byte)
            }
        }
        return false
    }

    mutating func endEntry() {
        defer { (parts, part, isFuzzy) = ([:], "", false) }
        guard let text = parts["msgid"], !isFuzzy || text.isEmpty else { return }
        var forms = parts["msgstr"].map { [$0] } ?? []
        while let form = parts["msgstr[\(forms.count)]"] { forms.append(form) }
        guard forms.contains(where: { !$0.isEmpty }) else { return }
        let key = (parts["msgctxt"].map { $0 + [4] } ?? []) + text
        texts[String(decoding: key, as: UTF8.self)] = forms.map { String(decoding: $0, as: UTF8.self) }
    }
}
