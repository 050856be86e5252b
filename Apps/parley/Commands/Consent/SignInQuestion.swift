// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import FoundationEssentials
import TerminalKit

/// Asks about uploads at the end of a sign-in. Only a person at a terminal is asked.
struct SignInQuestion: Sendable {
    let options: AccountOptions

    /// Asks if this account has no answer yet. An error does not undo the sign-in.
    func ask(in app: CompositionRoot, console: Console) async throws {
        do {
            try await askIfNeeded(in: app, console: console)
        } catch let error as DomainError {
            console.progress("Nothing is sent for now. \(Sentence(error))")
        }
    }

    private func askIfNeeded(in app: CompositionRoot, console: Console) async throws {
        let isAtTerminal = InputStream().isTerminal && console.errors.isTerminal && !console.isJSON
        try await app.withPractice(options) { practice in
            guard try await practice.session.needsAnswer() else { return }
            let decide = try practice.session.decideUploads()
            guard isAtTerminal else {
                return console.progress("Recordings and results are not sent before you agree: parley consent give")
            }
            // The text has the server's retention time, if the server can be asked.
            _ = try await practice.session.manager.activate()
            for line in try await practice.session.consentText().shown(console) { console.progress(verbatim: line) }
            let answer = try await Self.answer(console)
            guard let decision = answer.decision else { return console.progress(answer.reply) }
            try await decide.answer(decision)
            console.progress(answer.reply)
            let earlier = try await practice.session.held().count
            guard decision == .given, earlier > 0 else { return }
            console.progress("\(earlier) recordings and results from before stay here. Send them, too? Type yes or no.")
            guard try await Self.answer(console) == .yes else {
                return console.progress("They stay here. Send them later: parley consent give --earlier")
            }
            try await decide.answer(.given, includingEarlier: true)
            console.progress("They are sent, too.")
        }
    }

    /// The typed answer to the question; asks again until it is valid.
    private static func answer(_ console: Console) async throws -> UploadAnswer {
        while true {
            let question = WordQuestion(text: UploadAnswer.prompt, console: console)
            guard let word = try await question.answer() else { return .later }
            if let answer = UploadAnswer(word) { return answer }
        }
    }
}
