// SPDX-License-Identifier: MIT

/// The translations of one language from a `.mo` file of GNU gettext, in either byte order.
///
/// The file is mapped, not read: opening costs the check of its tables. Texts are checked to be UTF-8 when they are looked up.
/// For use from any thread.
public final class MessageCatalogue: Sendable {
    /// The path of the file.
    public let path: String
    /// The number of messages, with the header.
    public var count: Int { tables.count }

    let plurals: PluralRule
    private let tables: CatalogueTables

    /// Opens a catalogue.
    ///
    /// - Throws: ``LocalizationError`` for a file that is missing, damaged or not in UTF-8, and for a rule of plural forms that is
    ///   invalid.
    public init(path: String) throws(LocalizationError) {
        self.path = path
        tables = try CatalogueTables(try MappedFile(path), path: path)
        let header = try Self.header(tables, path)
        if let charset = header["content-type"].flatMap({ $0.split(separator: "charset=").dropFirst().first }),
            !["utf-8", "utf8", "us-ascii", "ascii"].contains(charset.lowercased())
        {
            throw LocalizationError(
                .encoding, "\(path) is in \(charset). Convert its .po file with msgconv --to-code=UTF-8.")
        }
        guard let rule = header["plural-forms"] else {
            plurals = .english
            return
        }
        plurals = try PluralRule(header: rule, path: path)
    }

    /// The fields of the text that translates the empty one, by their names in lower case.
    private static func header(_ tables: CatalogueTables, _ path: String) throws(LocalizationError) -> [String: String]
    {
        guard let bytes = tables.translation(of: UnsafeBufferPointer(start: nil, count: 0)) else { return [:] }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw LocalizationError(
                .encoding, "The header of \(path) is not in UTF-8. Convert its .po file with msgconv --to-code=UTF-8.")
        }
        let fields = text.split(separator: "\n").compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return (line[..<colon].lowercased(), String(value))
        }
        return Dictionary(fields) { first, _ in first }
    }

    /// The translation of a text; nil without one, or if it is not UTF-8.
    ///
    /// - Parameter context: The context (`msgctxt`), which tells equal texts apart; nil for none.
    public func translation(of text: String, context: String? = nil) -> String? {
        form(0, of: text, context)
    }

    /// The translation of a text that depends on a number; nil without one for this number.
    ///
    /// - Parameters:
    ///   - text: The English singular, which identifies the message.
    ///   - count: The number. Its sign does not matter.
    public func translation(of text: String, context: String? = nil, count: Int) -> String? {
        plurals.form(for: count.magnitude).flatMap { form($0, of: text, context) }
    }

    private func form(_ index: Int, of text: String, _ context: String?) -> String? {
        // The empty text is the header's.
        guard !text.isEmpty else { return nil }
        var key = context.map { $0 + "\u{4}" + text } ?? text
        guard let bytes = key.withUTF8({ tables.translation(of: $0) }) else { return nil }
        let forms = bytes.split(separator: 0, omittingEmptySubsequences: false)
        guard index < forms.count, !forms[index].isEmpty else { return nil }
        return String(validating: forms[index], as: UTF8.self)
    }
}
