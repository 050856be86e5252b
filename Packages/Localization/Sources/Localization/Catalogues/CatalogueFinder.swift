// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Finds the catalogues of a program: `FOLDER/LANGUAGE/LC_MESSAGES/DOMAIN.mo` in each folder, and `FOLDER/LANGUAGE.po` in folders of
/// sources; the first one wins.
public struct CatalogueFinder: Sendable {
    /// The name of the catalogue's files, without `.mo`.
    public let domain: String
    /// The folders, in the order in which they are searched.
    public let folders: [String]
    private let sourceFolders: [String]
    private let hasSystemFolder: Bool

    /// - Parameters:
    ///   - domain: The name of the catalogue's files, without `.mo`: letters, digits, `-`, `_` and `.`.
    ///   - buildFolder: The folder that the build makes, searched first; nil for none.
    ///   - resourceFolder: The folder of a program that brings its catalogues along, searched second; nil for none.
    ///   - sourceFolders: The folders of `.po` files, searched before the last one.
    ///   - systemFolder: The folder of installed catalogues, searched last; nil for none.
    public init(
        domain: String, buildFolder: String? = nil, resourceFolder: String? = nil, sourceFolders: [String] = [],
        systemFolder: String? = "/usr/share/locale"
    ) {
        self.domain = domain
        self.sourceFolders = sourceFolders
        hasSystemFolder = systemFolder != nil
        folders = [buildFolder, resourceFolder, systemFolder].compactMap(\.self)
    }

    /// The catalogues of the running program: in `locale` beside its file, in `../share/locale` from there, as sources in the `l10n` folder
    /// of the checkout that `swift build` made it in, or the system's.
    public init(ofProgram domain: String) {
        // Without /proc only the system's folder is searched.
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = program.map { URL(filePath: $0).deletingLastPathComponent() }
        self.init(
            domain: domain, buildFolder: folder?.appending(path: "locale").path,
            resourceFolder: folder?.deletingLastPathComponent().appending(path: "share/locale").path,
            sourceFolders: program.map { Self.sourceFolders(ofProgram: $0, domain: domain) } ?? [])
    }

    /// `l10n/DOMAIN` and `l10n` of the checkout of a program in `.build/TRIPLE/CONFIGURATION`; none for another path.
    static func sourceFolders(ofProgram path: String, domain: String) -> [String] {
        let build = URL(filePath: path).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        guard build.lastPathComponent == ".build" else { return [] }
        let sources = build.deletingLastPathComponent().appending(path: "l10n")
        let own = sources.appending(path: domain).path
        return [FileManager.default.fileExists(atPath: own) ? own : sources.path]
    }

    /// The paths at which a catalogue may be. The name of a language has letters, digits and `_` alone, so none leaves the folder.
    private func paths(_ language: Language) -> [String] {
        let compiled = folders.map { "\($0)/\(language.folderName)/LC_MESSAGES/\(domain).mo" }
        let installed = hasSystemFolder ? 1 : 0
        return compiled.dropLast(installed) + sourceFolders.map { "\($0)/\(language.folderName).po" }
            + compiled.suffix(installed)
    }

    /// True for English, the pseudo-languages, and each language that has a catalogue of its own.
    public func exists(_ language: Language) -> Bool {
        language == .english || language.isPseudo
            || paths(language).contains { FileManager.default.isReadableFile(atPath: $0) }
    }

    /// English and the languages that have a catalogue, by their tags. It lists the folders; ``exists(_:)`` is cheaper for one.
    public var languages: [Language] {
        let compiled = folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] }
        let written = sourceFolders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] }
        let names = compiled + written.filter { $0.hasSuffix(".po") }.map { String($0.dropLast(3)) }
        let found = Set(names.compactMap { name in Language(name).flatMap { $0.folderName == name ? $0 : nil } })
        return found.union([.english]).filter { exists($0) && !$0.isPseudo }.sorted { $0.tag < $1.tag }
    }

    /// The language for a person.
    ///
    /// - Parameters:
    ///   - setting: The person's choice; nil or empty to follow the environment. An invalid choice, or a language that does not
    ///     exist, is English.
    ///   - environment: The variables `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` and `LANG`, by the rules of POSIX and GNU gettext.
    public func language(setting: String? = nil, environment: [String: String]) -> Language {
        let chosen = setting.flatMap { $0.isEmpty ? nil : [Language($0) ?? .english] }
        return LanguageNegotiation.first(of: chosen ?? LanguageNegotiation.wishes(environment: environment), exists)
    }

    /// The language for a request with this `Accept-Language` header (RFC 9110, section 12.5.4; lookup of RFC 4647). English if
    /// none of its languages exists. Of the header, 2,000 bytes and 32 languages are considered.
    public func language(acceptLanguage: String?) -> Language {
        acceptLanguage.map { LanguageNegotiation.language(acceptLanguage: $0, exists) } ?? .english
    }

    /// The translator of a language: by its catalogue, then by those of its fallbacks, then English.
    ///
    /// A catalogue that cannot be used is left out, and is in ``Translator/problems``. If none is left, the translator is English in
    /// all, so that numbers and texts agree. It opens the files: keep the translator.
    public func translator(for language: Language) -> Translator {
        var (catalogues, problems): ([MessageCatalogue], [LocalizationError]) = ([], [])
        for fallback in language.fallbacks where fallback != .english && !language.isPseudo {
            for path in paths(fallback) {
                do throws(LocalizationError) {
                    catalogues.append(try MessageCatalogue(path: path))
                    break
                } catch {
                    if error.code != .notFound { problems.append(error) }
                }
            }
        }
        let isEnglish = language.code == Language.english.code
        return Translator(
            catalogues.isEmpty && !isEnglish ? .english : language, catalogues: catalogues, problems: problems)
    }
}
