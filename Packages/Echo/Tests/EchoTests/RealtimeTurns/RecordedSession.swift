// SPDX-License-Identifier: MIT

import FoundationEssentials

@testable import Echo
@testable import EchoText

/// A conversation's transcript and the state of its session, as a machine keeps them, without its turns and answers.
struct RecordedSession {
    var transcript = Transcript()
    var order = TranscriptOrder()
    var history: SessionHistory
    private var commits = 0

    init(mode: TurnDetection) { history = SessionHistory(mode: mode) }

    mutating func send(_ event: ClientEvent.Detail) {
        history.send(event)
        switch event {
        case .inputAudioCommit:
            commits += 1
            if history.commit(as: "turn-\(commits)") { apply([.keepPlace(id: "turn-\(commits)", at: .end)]) }
        case .itemCreate(let item, let place): apply(order.handle(.itemAdded(item, at: place), at: .zero))
        case .itemDelete(let id): apply(order.handle(.itemDeleted(id: id), at: .zero))
        default: break
        }
    }

    mutating func receive(_ event: ServerEvent.Detail) {
        guard !history.isOldNews(event) else { return }
        history.receive(event)
        apply(order.handle(event, at: .zero))
    }

    /// Another session takes the place of this one.
    mutating func replay() -> [ClientEvent.Detail] {
        apply(order.sessionEnded(at: .zero))
        return history.replay(transcript)
    }

    private mutating func apply(_ changes: [Transcript.Change]) {
        for change in changes { _ = transcript.apply(change, createdAt: Date(timeIntervalSince1970: 0)) }
    }
}
