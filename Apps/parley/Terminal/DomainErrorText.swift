// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import TerminalKit

/// The texts of errors for a person.
extension DomainError {
    /// ``sentence`` in English.
    var message: String { sentence.english }

    /// One or two sentences with the error and its remedy.
    var sentence: Sentence {
        switch self {
        case .emptyQuery:
            "There is no question. Ask one, for example: What is the capital of Texas?"
        case .invalidQuery:
            "I can only provide information about US states: capital, bird, flower, largest city, admission and place."
        case .queryTooLong(let limit):
            "The question is too long. Ask in at most \(limit) characters."
        case .generationFailed(let reason):
            "The question was understood, but there is no answer: \(reason)"
        case .noSpeech:
            "No speech was heard. Check the microphone or the sound file, then speak closer and louder."
        case .notUnderstood:
            "I did not understand that. I can only provide information about US states; please say it in other words."
        case .speechTooLong(let limit):
            "No pause was heard for \(limit) s, so nothing is answered. Speak in shorter parts, or where it is quieter."
        case .device(let reason), .file(let reason), .speechEngine(let reason), .storage(let reason),
            .damaged(let reason), .invalidInput(let reason), .overLimit(let reason), .server(let reason):
            reason
        case .keyRefused(let reason):
            "\(reason) parley secrets set NAME stores it; parley speech list --json names the secret."
        case .unusable(let data):
            data.sentence
        case .notAllowed(let reason):
            reason.sentence
        case .notFound(let name):
            "There is no \(name). List them and choose one."
        case .signInNeeded:
            "This needs an account. Sign in with parley sign-in."
        case .keptForLater(let error):
            "\(error.sentence) Your question is kept, and is answered when the model is back."
        case .offline(let reason):
            "The server cannot be reached: \(reason) Check the network; what waits is sent when it is back."
        case .timedOut(let answer):
            "\(answer.sentence) took too long. Try again later; nothing is lost."
        case .rateLimited(let seconds):
            "That was too often. Wait \(max(seconds, 1)) s, then try again."
        }
    }

    /// The error for a name that nothing of a list has, with the one that was probably meant.
    ///
    /// - Parameters:
    ///   - kind: The kind of its entries, such as "prompt".
    ///   - command: Adds one.
    static func unknown(_ kind: Sentence, _ name: String, among names: [String], command: String) -> DomainError {
        let known: Sentence =
            names.isEmpty ? "\(command) adds one." : "There is: \(names.joined(separator: ", "))."
        let start: Sentence = "There is no \(kind) \(name.printable)."
        return .invalidInput("\(start.suggesting(name, among: names)) \(known)")
    }

    /// Questions of each answered kind.
    static let exampleQuestions = [
        "What is the capital of Texas?", "Which state bird has Maine?", "When was Ohio admitted?",
    ]

    /// The message as it is shown; a refused question gets example questions and the command that shows the reason.
    var advice: Sentence {
        if case .keptForLater = self { return "\(sentence) parley later list shows it." }
        guard self == .invalidQuery else { return sentence }
        let examples = Self.exampleQuestions.joined(separator: " ")
        return "\(sentence) For example: \(examples) parley ask --explain says why a question is turned down."
    }
}

extension UnusableData {
    /// One or two sentences for a person, with the command that helps.
    var sentence: Sentence {
        switch self {
        case .conversations:
            "Your history file is damaged. Run: parley history repair (it keeps the old file)."
        case .practice:
            "Your practice file is damaged. Run: parley practice repair (it keeps the old file)."
        case .row(let kind):
            "A stored \(kind) is damaged. Run parley doctor, which checks the database."
        case .consent:
            "The answer about uploads cannot be read any more. Start the program again."
        case .otherVersion:
            "A message in the inbox was written by another version. Use the newest parley."
        case .locked:
            "The app is locked. Run parley history, which asks for the passphrase."
        case .lockedKeyring:
            "The desktop's keyring is locked, so your secrets in it stay. Unlock it, then delete again."
        case .keyMissing(let folder):
            "The key of the recordings in \(folder) is not here. Run parley in the desktop session whose keyring has it, or "
                + "bring the secrets file back; or move the recordings to another folder to start again."
        }
    }
}

extension SalvagedFile {
    /// Sentences that say what was saved, and where the damaged file is.
    var sentence: Sentence {
        guard let messages = saved.first(where: { $0.kind == .messages }) else {
            let counts = saved.map { "\($0.count) \($0.kind.rawValue)" }.joined(separator: " and ")
            let start: Sentence =
                "The practice file \(path) was damaged. It is kept as \(setAside). Its \(counts) are in the new one."
            return saved.allSatisfy(\.isComplete) ? start : "\(start) Others could not be read."
        }
        let rest: Sentence =
            switch (messages.count, messages.isComplete) {
            case (0, _): "None of its messages could be read; a new history begins."
            case (let count, true): "All its messages, \(count), are in the new one."
            case (let count, false): "\(count) of its messages are in the new one; others could not be read."
            }
        return "The history in \(path) was damaged. It is kept as \(setAside). \(rest)"
    }
}

extension AwaitedAnswer {
    fileprivate var sentence: Sentence {
        switch self {
        case .connection: "Connecting to the server"
        case .answer: "The server's answer"
        case .evaluation: "The server's evaluation"
        }
    }
}

extension UploadPermission.Reason {
    /// One or two sentences with the error and its remedy.
    var sentence: Sentence {
        switch self {
        case .notAsked: "Nothing is sent before you agree. Read what is sent, and answer: parley consent give."
        case .textChanged: "What you agreed to has changed. Read it, and answer again: parley consent give."
        case .declined: "Nothing is sent, as you decided. Change that with parley consent give."
        case .withdrawn: "Nothing is sent any more, as you decided. Change that with parley consent give."
        case .switchedOff: "The server takes no recordings and results at the moment. They wait on this device."
        }
    }
}

extension Sentence {
    /// This sentence with a question for the word that was probably meant; itself if none is near.
    func suggesting(_ word: String, among words: [String]) -> Sentence {
        Suggestion(for: word, among: words).word.map { "\(self) Did you mean \($0)?" } ?? self
    }
}
