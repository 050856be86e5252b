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
            return status.show("recording \(id.short)  \(bar)")
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
        switch item.stage {
        case .waiting: (stage, reason) = ("waits", nil)
        case .sending: (stage, reason) = ("is being sent", nil)
        case .poisoned(let why): (stage, reason) = ("is stuck", why)
        }
        attempts = item.attempts
        since = item.createdAt.formatted(.iso8601)
    }
}

private struct SyncEvent: Encodable {
    let event: String
    let work: String?
    let name: String?
    let message: String?

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
    }

    var sentence: Sentence {
        let subject = "\(work ?? "") \((name ?? "").prefix(8))"
        return switch event {
        case "sent": "sent \(subject)"
        case "postponed": "\(subject) waits: \(message ?? "")"
        default: "\(subject) is stuck: \(message ?? "")"
        }
    }
}

extension SyncItem.Work {
    fileprivate var words: (String, String) {
        ((action == .send ? "" : "deletion of ") + kind.rawValue, id.description)
    }
}
