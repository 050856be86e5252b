// SPDX-License-Identifier: MIT

@testable import Echo

/// Lines to the sessions of ``SessionLifecycle``, in each direction, that lose what is on them when they break: random inputs for
/// the pure record of a conversation. They speak no protocol and decide nothing; the service is EchoSimulator.
struct LossyLines {
    struct Session {
        /// What each item says, in order. Sound says its bytes.
        var items: [(id: String, words: [UInt8])] = []
        var spoken: [String] = []
        var buffer: [UInt8] = []
        var up: [ClientEvent.Detail] = []
        var down: [ServerEvent.Detail] = []
        var isBroken = false
        var openedAt: Duration
    }

    var sessions: [Int: Session] = [:]
    private var count = 0

    private mutating func nextID() -> String {
        count += 1
        return "server\(count)"
    }

    /// Takes one thing off a session's line.
    mutating func receive(_ number: Int) {
        guard var session = sessions[number], !session.isBroken, !session.up.isEmpty else { return }
        let place: MessagePlace = session.items.last.map { .after($0.id) } ?? .beginning
        switch session.up.removeFirst() {
        case .inputAudioAppend(let bytes): session.buffer += bytes
        case .inputAudioCommit:
            let id = nextID()
            session.items.append((id, session.buffer))
            session.spoken.append(id)
            session.buffer = []
            session.down.append(.inputAudioCommitted(itemID: id, at: place))
        case .itemCreate(let item, _):
            guard case .message(let message) = item, let id = message.id else { break }
            var words = message.text.split(separator: ",").compactMap { UInt8($0) }
            if case .inputAudio(let audio?, _)? = message.content.first {
                words = audio
                session.spoken.append(id)
            }
            session.items.append((id, words))
            session.down.append(.itemAdded(item, at: place))
        default: break
        }
        sessions[number] = session
    }

    /// Tells what was said in one of the turns that were spoken.
    mutating func transcribe(_ number: Int) {
        guard var session = sessions[number], !session.isBroken, !session.spoken.isEmpty else { return }
        let id = session.spoken.removeFirst()
        let words = session.items.first { $0.id == id }?.words ?? []
        let text = words.map(String.init).joined(separator: ",")
        session.down.append(.transcriptCompleted(RealtimeTranscript(itemID: id, text: text)))
        sessions[number] = session
    }

    /// The session answers, in part or in whole.
    mutating func answer(_ number: Int, whole: Bool) {
        guard var session = sessions[number], !session.isBroken else { return }
        let id = nextID()
        let place: MessagePlace = session.items.last.map { .after($0.id) } ?? .beginning
        session.items.append((id, []))
        let begun = MessageItem(id: id, role: .assistant, content: [], status: .inProgress)
        session.down += [
            .itemAdded(.message(begun), at: place),
            .audioTranscriptDelta(AnswerPlace(responseID: "r\(id)", itemID: id), delta: "So"),
        ]
        if whole {
            session.down.append(.itemDone(.message(MessageItem(id: id, role: .assistant, text: "So.")), at: place))
        }
        sessions[number] = session
    }

    /// The connection breaks: what is on its way is lost.
    mutating func breakDown(_ number: Int) {
        sessions[number]?.isBroken = true
        sessions[number]?.up = []
        sessions[number]?.down = []
    }
}
