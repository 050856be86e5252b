// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import FoundationEssentials

/// Asks about uploads during practice: before the first recording is kept for an account without an answer. Only a
/// person at a terminal is asked.
actor KeepQuestion {
    /// The result of a key that the question has taken.
    struct Taken: Sendable {
        /// The command to resume after the answer; nil while the question waits.
        var command: PractiseCues.Command?
    }

    private let session: PracticeSession
    private let input: KeyInput
    private let screen: PracticeScreen
    private var isSettled = false
    /// The command that waits for the answer; nil without a question.
    private var held: PractiseCues.Command?
    private var typed = ""

    init?(_ session: PracticeSession, _ input: KeyInput, _ screen: PracticeScreen) {
        guard session.account != nil, input.isTyped else { return nil }
        (self.session, self.input, self.screen) = (session, input, screen)
    }

    /// Asks, if the command keeps a recording and the question has no answer; true if the command has to wait for it.
    func begins(before command: PractiseCues.Command) async -> Bool {
        guard !isSettled, case .keep = command else { return false }
        isSettled = true
        guard (try? await session.needsAnswer()) == true, let text = try? await session.consentText() else {
            return false
        }
        held = command
        await screen.show(text.shown(screen.console))
        input.dropTypeAhead()
        await screen.showAnswer(prompt)
        return true
    }

    /// Takes a key as a part of the answer; nil when there is no question.
    func take(_ key: Key) async -> Taken? {
        guard let held else { return nil }
        switch key {
        case .character("\u{7F}"), .character("\u{8}"): _ = typed.popLast()
        case .character(let character): typed.append(character)
        case .enter, .end:
            guard let answer = key == .end ? .later : UploadAnswer(typed) else {
                typed = ""
                break
            }
            self.held = nil
            await settle(answer)
            return Taken(command: held)
        }
        await screen.showAnswer(prompt + typed)
        return Taken()
    }

    private var prompt: String { screen.console.text(UploadAnswer.prompt) }

    private func settle(_ answer: UploadAnswer) async {
        do {
            if let decision = answer.decision { try await session.decideUploads().answer(decision) }
            await screen.show([screen.console.text(answer.reply)])
        } catch {
            let sentence: Sentence =
                "Your answer could not be stored, so nothing is sent. Answer again: parley consent give"
            await screen.show([screen.console.text(sentence)])
        }
        await screen.showKeys()
    }
}
