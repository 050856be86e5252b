// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import TerminalKit

/// Shows the progress of sending.
struct SyncPresenter: Sendable {
    private let console: Console
    private let status: StatusLine

    init(console: Console) {
        self.console = console
        status = StatusLine(console: console)
    }

    /// Shows one report; a failure to show it is ignored.
    func show(_ report: SyncReport) async {
        if case .uploading(let id, let sent, of: let total) = report {
            let share = total > 0 ? sent * 100 / total : 100
            let bar = ProgressBar(Double(share) / 100).line(width: 25, theme: .plain(console.traits.glyphs))
            return status.show("\(console.text("recording \(id.short)"))  \(bar)")
        }
        status.clear()
        let event = SyncEvent(report)
        try? console.emit(event)
        if !console.isJSON { console.progress(event.sentence) }
    }

    /// Clears the status line.
    func close() { status.clear() }
}

/// An item that waits, as JSON and as words.
struct SyncItemOutput: Encodable {
    let number: Int64
    let work: String
    let name: String
    let stage: String
    let reason: String?
    let attempts: Int
    let since: String

    init(_ item: SyncItem) {
        number = item.id
        (work, name) = item.work.words
        stage = item.stage.word.english
        if case .poisoned(let why) = item.stage { reason = why } else { reason = nil }
        attempts = item.attempts
        since = item.createdAt.formatted(.iso8601)
    }
}

private struct SyncEvent: Encodable {
    let event: String
    let work: String?
    let name: String?
    let message: String?
    /// The thing that is sent; JSON has it as ``work`` and ``name``.
    private var subject: Sentence = ""

    private enum CodingKeys: String, CodingKey { case event, work, name, message }

    init(_ report: SyncReport) {
        switch report {
        case .uploading(let id, _, of: _):
            (event, work, name, message) = ("uploading", "recording", id.description, nil)
        case .done(let item): (event, work, name, message) = ("sent", item.words.0, item.words.1, nil)
        case .postponed(let item, let error):
            (event, work, name, message) = ("postponed", item.words.0, item.words.1, error.message)
        case .poisoned(let item, let reason):
            (event, work, name, message) = ("stuck", item.words.0, item.words.1, reason)
        }
        switch report {
        case .uploading: break
        case .done(let work), .postponed(let work, _), .poisoned(let work, _): subject = work.subject
        }
    }

    var sentence: Sentence {
        let reason = message ?? ""
        return switch event {
        case "sent": "sent \(subject)"
        case "postponed": "\(subject) waits: \(reason)"
        default: "\(subject) is stuck: \(reason)"
        }
    }
}

extension SyncItem.Work {
    /// The operation and the first characters of the id, for a person.
    var subject: Sentence {
        let start = id.description.prefix(8)
        return switch (action, kind) {
        case (.send, .recording): "recording \(start)"
        case (.send, .result): "result \(start)"
        case (.delete, .recording): "deletion of recording \(start)"
        case (.delete, .result): "deletion of result \(start)"
        default: Sentence(verbatim: "\(words.0) \(start)")
        }
    }

    fileprivate var words: (String, String) {
        ((action == .send ? "" : "deletion of ") + kind.rawValue, id.description)
    }
}

extension SyncItem.Stage {
    /// The stage, after the name of the item.
    var word: Sentence {
        switch self {
        case .waiting: "waits"
        case .sending: "is being sent"
        case .poisoned: "is stuck"
        }
    }
}
