// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The paths of a language's acoustic model, pronouncing dictionary and phone model.
public struct AcousticModel: Sendable, Hashable {
    /// The folder of the hidden Markov models (`mdef`, `means`, `feat.params` and the rest).
    public let hmmDirectory: String
    /// The pronouncing dictionary: a word and its phones on each line.
    public let dictionaryPath: String
    /// The n-gram model of phones that an utterance is compared with.
    public let phoneLanguageModelPath: String

    /// The general n-gram model of words in PocketSphinx's binary form, with a reading's frequent words.
    public let wordLanguageModelPath: String

    /// Names the parts of a model; nothing is opened.
    ///
    /// - Parameter wordLanguageModelPath: By default `en-us.lm.bin` beside the phone model.
    public init(
        hmmDirectory: String, dictionaryPath: String, phoneLanguageModelPath: String,
        wordLanguageModelPath: String? = nil
    ) {
        self.hmmDirectory = hmmDirectory
        self.dictionaryPath = dictionaryPath
        self.phoneLanguageModelPath = phoneLanguageModelPath
        let folder = phoneLanguageModelPath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        self.wordLanguageModelPath =
            wordLanguageModelPath ?? (folder + ["en-us.lm.bin"]).joined(separator: "/")
    }

    /// Names the parts of a model in one folder with the layout of the Debian package `pocketsphinx-en-us`.
    public init(directory: String) {
        self.init(
            hmmDirectory: directory + "/en-us", dictionaryPath: directory + "/cmudict-en-us.dict",
            phoneLanguageModelPath: directory + "/en-us-phone.lm.bin")
    }

    /// US English as the Debian package `pocketsphinx-en-us` installs it.
    public static let englishUS = AcousticModel(directory: "/usr/share/pocketsphinx/model/en-us")

    /// Checks that every part can be read.
    ///
    /// - Throws: ``SpeechError`` with `modelMissing`, naming the part and the package to install.
    public func check() throws(SpeechError) { try check(phoneLanguageModelPath) }

    /// Checks that the parts of every recogniser and a language model of these can be read.
    func check(_ languageModelPath: String) throws(SpeechError) {
        let parts = [
            hmmDirectory + "/mdef", hmmDirectory + "/feat.params", dictionaryPath, languageModelPath,
        ]
        for part in parts where !FileManager.default.isReadableFile(atPath: part) {
            throw SpeechError(
                .modelMissing,
                "The speech model is not complete: \(part) cannot be read. Install the package pocketsphinx-en-us.")
        }
    }

    /// The contents of one of the model's text files.
    func text(of path: String) throws(SpeechError) -> String {
        do {
            return try String(contentsOf: URL(filePath: path), encoding: .utf8)
        } catch {
            throw SpeechError(
                .modelMissing, "\(path) cannot be read. Install the package pocketsphinx-en-us.", underlying: "\(error)"
            )
        }
    }
}
