// SPDX-License-Identifier: MIT

/// The translations of one language from a `.mo` file of GNU gettext, in either byte order, or from the `.po` file that one is made of.
///
/// A `.mo` file is mapped, not read: opening costs the check of its tables. Texts are checked to be UTF-8 when they are looked up.
/// For use from any thread.
public final class MessageCatalogue: Sendable {
    /// The path of the file.
    public let path: String
    /// The number of messages, with the header.
    public var count: Int {
        switch content {
        case .tables(let tables): tables.count
        case .source(let source): source.texts.count
        }
    }

    let plurals: PluralRule
    private let content: Content

    private enum Content {
        case tables(CatalogueTables)
        case source(CatalogueSource)
    }

    /// Opens a catalogue.
    ///
    /// - Throws: ``LocalizationError`` for a file that is missing, damaged or not in UTF-8, and for a rule of plural forms that is
    ///   invalid.
    public init(path: String) throws(LocalizationError) {
        self.path = path
        if path.hasSuffix(".po") {
            let source = try CatalogueSource(path: path)
            content = .source(source)
            plurals = try Array((source.texts[""]?.first ?? "").utf8).withUnsafeBytes {
                header -> Result<PluralRule, LocalizationError> in
                do throws(LocalizationError) { return .success(try Self.plurals(of: header, path)) } catch {
                    return .failure(error)
                }
            }.get()
        } else {
            let tables = try CatalogueTables(try MappedFile(path), path: path)
            content = .tables(tables)
            plurals =
                try tables.translation(of: UnsafeBufferPointer(start: nil, count: 0))
                .map { bytes throws(LocalizationError) in try Self.plurals(of: bytes, path) } ?? .english
        }
    }

    /// The rule of plural forms in the text that translates the empty one; English without a rule.
    private static func plurals(
        of header: UnsafeRawBufferPointer, _ path: String
    ) throws(LocalizationError) -> PluralRule {
        if let type = try field("content-type:", of: header, path), let charset = charset(of: type),
            !["utf-8", "utf8", "us-ascii", "ascii"].contains(charset.lowercased())
        {
            throw LocalizationError(
                .encoding, "\(path) is in \(charset). Convert its .po file with msgconv --to-code=UTF-8.")
        }
        guard let rule = try field("plural-forms:", of: header, path) else { return .english }
        return try PluralRule(header: rule, path: path)
    }

    /// The value of a field of the text that translates the empty one. It compares bytes: the general ways of `String` cost a
    /// program half a millisecond at their first use.
    ///
    /// - Parameter name: The name in lower case, with its colon.
    private static func field(
        _ name: String, of header: UnsafeRawBufferPointer, _ path: String
    ) throws(LocalizationError) -> String? {
        let name = Array(name.utf8)
        var start = 0
        while start < header.count {
            let end = header[start...].firstIndex(of: UInt8(ascii: "\n")) ?? header.count
            let line = UnsafeRawBufferPointer(rebasing: header[start..<end])
            start = end + 1
            guard line.count >= name.count,
                name.indices.allSatisfy({ line[$0] == name[$0] || line[$0] | 0x20 == name[$0] })
            else { continue }
            guard let value = String(validating: line[name.count...], as: UTF8.self) else {
                throw LocalizationError(
                    .encoding,
                    "The header of \(path) is not in UTF-8. Convert its .po file with msgconv --to-code=UTF-8.")
            }
            return value
        }
        return nil
    }

    /// The part of a content type behind the last "=".
    private static func charset(of type: String) -> String? {
        type.utf8.lastIndex(of: UInt8(ascii: "=")).map { String(type[$0...].dropFirst()) }
    }

    /// The translation of a text; nil without one, or if it is not UTF-8.
    ///
    /// - Parameters:
    ///   - text: The English text, which identifies the message.
    ///   - context: The context (`msgctxt`), which tells equal texts apart; nil for none.
    public func translation(of text: String, context: String? = nil) -> String? {
        form(0, of: text, context)
    }

    /// The translation of a text that depends on a number; nil without one for this number.
    ///
    /// - Parameters:
    ///   - text: The English singular, which identifies the message.
    ///   - context: The context; nil for none.
    ///   - count: The number. Its sign does not matter.
    public func translation(of text: String, context: String? = nil, count: Int) -> String? {
        plurals.form(for: count.magnitude).flatMap { form($0, of: text, context) }
    }

    private func form(_ index: Int, of text: String, _ context: String?) -> String? {
        // The empty text is the header's.
        guard !text.isEmpty else { return nil }
        var key = context.map { $0 + "\u{4}" + text } ?? text
        switch content {
        case .source(let source):
            guard let forms = source.texts[key], index < forms.count, !forms[index].isEmpty else { return nil }
            return forms[index]
        case .tables(let tables):
            guard let bytes = key.withUTF8({ tables.translation(of: $0) }) else { return nil }
            let forms = bytes.split(separator: 0, omittingEmptySubsequences: false)
            guard index < forms.count, !forms[index].isEmpty else { return nil }
            return String(validating: forms[index], as: UTF8.self)
        }
    }
}
