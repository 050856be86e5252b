// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Domain
import TerminalKit

/// Tells what an assistant that listens does, by a ``LivePublisher``: the events of `--json`, and what passes between them.
struct LiveRoom: Sendable {
    let publisher: LivePublisher
    private let presenter: ListenPresenter

    /// Opens the socket of a command; nil where there can be none, which only the page notices.
    init?(_ name: String, wakeWord: String = "", in app: CompositionRoot) {
        do {
            try app.paths.makeDataFolder()
            self.init(
                try LivePublisher(name, in: app.paths.live, for: app.console.personalTranslator), wakeWord: wakeWord)
        } catch {
            app.logger.warning("the page is not told: \("\(error)", privacy: .public)")
            return nil
        }
    }

    init(_ publisher: LivePublisher, wakeWord: String) {
        self.publisher = publisher
        let output = OutputStream { [publisher] bytes in
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                publisher.send(String(decoding: line, as: UTF8.self))
            }
        }
        let console = Console(
            output: output, errors: OutputStream { _ in }, isJSON: true,
            traits: TerminalTraits(environment: [:], isTerminal: false))
        presenter = ListenPresenter(wakeWord: wakeWord, map: nil, console: console, logger: .disabled)
    }

    /// Tells an event.
    func show(_ event: RoomEvent) async {
        switch event {
        case .level(let level): publisher.send(LevelEvent(db: level), isPassing: true)
        case .turn(_, .draft(let words)): publisher.send(WordsEvent(text: words), isPassing: true)
        case .turn(let turn, .answering(.delta(let piece))):
            publisher.send(DeltaEvent(turn: turn.description, text: piece))
        case .phase(let phase):
            publisher.note(state: phase.rawValue)
            _ = await presenter.show(event)
        case .muted(let isMuted):
            publisher.note(isMuted: isMuted)
            _ = await presenter.show(event)
        default: _ = await presenter.show(event)
        }
    }

    /// Tells an event of a turn that begins with a key, not with a wake word.
    func show(_ event: TurnEvent, of turn: TurnID) async {
        switch event {
        case .level(let level): return await show(.level(level))
        case .reached(.listening, _): await show(.phase(.listening))
        case .reached(.firstSampleAudible, _): await show(.phase(.speaking))
        default: break
        }
        await show(.turn(turn, event))
        if case .transcript = event { await show(.phase(.thinking)) }
    }
}

/// The loudness, in dBFS, ten times a second.
private struct LevelEvent: Encodable {
    let event = "level"
    let db: Double
    private enum CodingKeys: String, CodingKey { case event, db }
}

/// The words of a question so far.
private struct WordsEvent: Encodable {
    let event = "words"
    let text: String
    private enum CodingKeys: String, CodingKey { case event, text }
}

/// The next piece of an answer.
private struct DeltaEvent: Encodable {
    let event = "delta"
    let turn, text: String
    private enum CodingKeys: String, CodingKey { case event, turn, text }
}
