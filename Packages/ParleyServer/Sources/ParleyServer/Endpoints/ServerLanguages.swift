// SPDX-License-Identifier: MIT

import Diagnostics
import Localization

/// The languages of sign-in pages and mails. Every catalogue is opened at the start, so that the time of an answer does not
/// depend on the language of an account.
struct ServerLanguages: Sendable {
    /// English alone.
    static let english = ServerLanguages(CatalogueFinder(domain: "parley-server", systemFolder: nil), logger: .disabled)

    private let finder: CatalogueFinder
    private let translators: [Language: Translator]

    /// - Parameter logger: Gets the errors of catalogues, whose language is then English.
    init(_ finder: CatalogueFinder, logger: Logger) {
        self.finder = finder
        let languages = finder.languages + [.accentedEnglish, .mirroredEnglish]
        translators = Dictionary(uniqueKeysWithValues: languages.map { ($0, finder.translator(for: $0)) })
        for problem in translators.values.flatMap(\.problems) {
            logger.error("a language is missing: \(problem.message, privacy: .public)")
        }
    }

    /// The translator for a person.
    ///
    /// - Parameter acceptLanguage: The person's languages, in the form of the field `Accept-Language`. Whatever is invalid in it
    ///   is skipped; English if nothing is left.
    func translator(acceptLanguage: String?) -> Translator {
        let language = finder.language(acceptLanguage: acceptLanguage)
        return language.fallbacks.lazy.compactMap { translators[$0] }.first ?? .english
    }
}
