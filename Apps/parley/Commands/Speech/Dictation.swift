// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import DataVoice
import Domain
import Speech

/// The writer of free speech in the place of an engine (`--dictation`).
enum Dictation: String, Sendable, CaseIterable {
    /// This machine, by PocketSphinx's general model of English.
    case offline

    /// Measured on recorded voices in quiet: docs/speech.md.
    private static let rate = "a quarter of the words of clear speech are wrong"

    /// The line on standard error when it begins to hear.
    static let warning: Sentence =
        "Offline dictation is rough: a quarter of the words of clear speech are wrong. An engine hears better: parley speech add --help."

    static let option = ValueOption<Dictation>(
        "dictation", placeholder: "HOW",
        help: "offline: this machine writes down any English, for emergencies: \(rate)",
        choices: allCases)
}

extension CompositionRoot {
    /// A recogniser of free speech on this machine, with its model loaded.
    ///
    /// - Parameter showsWords: True for words while somebody speaks.
    func recognizer(of dictation: Dictation, showsWords: Bool) async throws -> any UtteranceRecognizer {
        switch dictation {
        case .offline:
            do {
                return EngineRecognizer(try await DictationRecognizer(showsWords: showsWords, logger: logger))
            } catch { throw DomainError(translating: error) }
        }
    }
}
