// SPDX-License-Identifier: MIT

import Diagnostics
import Domain
import FoundationEssentials
import TerminalKit

/// Spoken turns at a terminal.
struct TalkSession: Sendable {
    let hold: HoldSpokenTurn
    /// Prepares for likely questions between turns; nil to prepare nothing.
    var preload: PreloadAnswers?
    /// Ends the current question, as if the person had stopped speaking.
    let finishListening: @Sendable () async -> Void
    let map: AnswerMap?
    /// Tells the page; nil to tell nobody.
    var live: LiveRoom?
    let console: Console
    let logger: Logger

    /// Holds one turn; a refusal, or a failure to answer, has been shown when this returns its exit code.
    func oneTurn(in conversation: OngoingConversation) async throws -> ExitCode {
        let presenter = TurnPresenter(turn: TurnID(), map: map, console: console, logger: logger)
        let hearing = HearingLine(console: console)
        defer { hearing.clear() }
        let failure = OutputFailure()
        do {
            try await hold(presenter.turn, in: conversation) { event in
                hearing.show(event)
                await live?.show(event, of: presenter.turn)
                await failure.catching { try presenter.show(event) }
            }
            await live?.show(.phase(.idle))
        } catch let refusal as DomainError where refusal.isSpokenOf {
            await live?.show(.phase(.idle))
            try await failure.rethrow()
            try presenter.showLatency()
            return ExitCode(for: refusal)
        }
        try await failure.rethrow()
        try presenter.showLatency()
        return .done
    }

    /// Holds a turn for each Enter, until the input ends. Enter while a question is heard ends the question.
    func pushToTalk(_ lines: AsyncStream<String>, in conversation: OngoingConversation) async throws -> ExitCode {
        prompt()
        await preload?.begin(in: conversation)
        let result = try await turns(in: conversation, lines)
        await preload?.stop()
        return result
    }

    private func turns(
        in conversation: OngoingConversation, _ lines: AsyncStream<String>
    ) async throws -> ExitCode {
        try await withThrowingTaskGroup(of: Happening.self) { group in
            defer { group.cancelAll() }
            group.addTask { await nextLine(of: lines) }
            var isTurnHeld = false
            while let happening = try await group.next() {
                switch happening {
                case .inputEnded where isTurnHeld:
                    await finishListening()
                    _ = try await group.next()
                    return .done
                case .inputEnded:
                    return .done
                case .enter where isTurnHeld:
                    await finishListening()
                    group.addTask { await nextLine(of: lines) }
                case .enter:
                    isTurnHeld = true
                    await preload?.stop()
                    console.progress("Listening. Enter ends the question.", .muted)
                    group.addTask { .turnEnded(try await oneTurn(in: conversation)) }
                    group.addTask { await nextLine(of: lines) }
                case .turnEnded:
                    isTurnHeld = false
                    prompt()
                    await preload?.begin(in: conversation)
                }
            }
            return .done
        }
    }

    private func prompt() {
        console.progress("Press Enter and ask; Ctrl-D ends.", .muted)
    }

    private func nextLine(of lines: AsyncStream<String>) async -> Happening {
        for await _ in lines { return .enter }
        return .inputEnded
    }

    private enum Happening: Sendable {
        case enter
        case inputEnded
        case turnEnded(ExitCode)
    }
}

/// The first error of the output, kept until the turn ends: an answer is spoken even if the output has no reader.
private actor OutputFailure {
    private var first: (any Error)?

    func catching(_ show: @Sendable () throws -> Void) {
        do { try show() } catch { first = first ?? error }
    }

    func rethrow() throws {
        if let first { throw first }
    }
}
