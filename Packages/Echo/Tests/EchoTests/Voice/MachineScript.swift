// SPDX-License-Identifier: MIT

@testable import Echo

/// Plays a session and a loudspeaker to a ``VoiceMachine``, step by step in virtual time.
struct MachineScript {
    var machine: VoiceMachine
    var now = Duration.zero
    /// Everything that the machine did, in order.
    var actions: [VoiceAction] = []
    /// Frames that the device has been given and has not played.
    private(set) var waiting: [UInt8] = []
    /// What was heard.
    private(set) var heard: [UInt8] = []
    private var items = 0
    private var last: String?

    init(_ change: (inout VoiceMachine.Configuration) -> Void = { _ in }, history: [ResponseItem] = []) {
        var configuration = VoiceMachine.Configuration()
        change(&configuration)
        machine = VoiceMachine(configuration: configuration, history: history)
        input(.start)
        input(.opened(1))
    }

    mutating func input(_ input: VoiceInput) {
        take(machine.handle(input, at: now))
    }

    mutating func server(_ details: ServerEvent.Detail...) {
        for detail in details { input(.server(machine.lifecycle.session ?? 1, ServerEvent(detail))) }
    }

    private mutating func take(_ new: [VoiceAction]) {
        actions += new
        for action in new {
            switch action {
            case .play(let bytes): waiting += bytes
            case .flush:
                waiting = []
                input(.flushed(heard: heard.count / 2))
            default: break
            }
        }
    }

    /// Time passes: the loudspeaker plays in periods of 20 ms, and deadlines are kept.
    mutating func pass(_ duration: Duration) {
        let end = now + duration
        while now < end {
            let step = min(.milliseconds(20), end - now)
            now += step
            while let deadline = machine.deadline, deadline <= now { take(machine.advance(to: now)) }
            let count = min(waiting.count, Int(step / .microseconds(1)) * 24 / 1_000 * 2)
            guard count > 0 else { continue }
            heard += waiting.prefix(count)
            waiting.removeFirst(count)
            input(.heard(frames: heard.count / 2))
        }
    }

    /// What was sent to sessions, in order.
    var sent: [ClientEvent.Detail] {
        actions.compactMap { if case .send(_, let event) = $0 { event.detail } else { nil } }
    }

    /// What was asked for, in order.
    var requests: [RealtimeResponseRequest] {
        sent.compactMap { if case .responseCreate(let request) = $0 { request } else { nil } }
    }

    /// The events for the program, in order.
    var events: [EchoEvent] { actions.compactMap { if case .emit(let event) = $0 { event } else { nil } } }

    /// The sound that the program was given, in order.
    var sound: [UInt8] {
        events.flatMap { event -> [UInt8] in if case .assistantAudioDelta(let sound) = event { sound } else { [] } }
    }

    var operations: [Transcript.Change] {
        actions.flatMap { action -> [Transcript.Change] in
            if case .messages(let operations) = action { operations } else { [] }
        }
    }

    // MARK: What a session says

    /// The user says something, and the server makes an item of it.
    mutating func speech(_ id: String, _ text: String?) {
        server(.speechStarted(itemID: id, audioStart: 0))
        pass(.milliseconds(100))
        server(.speechStopped(itemID: id, audioEnd: 100), .inputAudioCommitted(itemID: id, at: place()))
        last = id
        server(
            .itemAdded(
                .message(MessageItem(id: id, role: .user, content: [.inputAudio(nil, transcript: nil)])),
                at: place(before: id)))
        if let text { server(.transcriptCompleted(RealtimeTranscript(itemID: id, text: text))) }
    }

    private func place(before id: String? = nil) -> MessagePlace {
        last.map { $0 == id ? .end : .after($0) } ?? .beginning
    }

    /// An answer begins; it says who asked for it.
    mutating func answerBegins(_ id: String, item: String) {
        let metadata = requests.last?.metadata ?? [:]
        server(
            .responseCreated(RealtimeResponse(id: id, conversationID: "c", metadata: metadata)),
            .itemAdded(
                .message(MessageItem(id: item, role: .assistant, content: [], status: .inProgress)),
                at: place()))
        last = item
    }

    /// More of it: words, and sound in which each sample is its place.
    mutating func answerGoesOn(_ id: String, item: String, words: String, sound: Duration, from: Int = 0) {
        let place = AnswerPlace(responseID: id, itemID: item)
        if !words.isEmpty { server(.audioTranscriptDelta(place, delta: words)) }
        let count = Int(sound / .milliseconds(1)) * 24
        server(.audioDelta(place, (from..<from + count).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8 & 0xFF)] }))
    }

    /// An answer that requests calls.
    mutating func calls(_ calls: [FunctionCallItem], in id: String) {
        let items = calls.map(ResponseItem.functionCall)
        server(
            .responseCreated(
                RealtimeResponse(id: id, conversationID: "c", metadata: requests.last?.metadata ?? [:])),
            .responseDone(RealtimeResponse(id: id, status: .completed, output: items, conversationID: "c")))
    }

    /// It is whole.
    mutating func answerEnds(
        _ id: String, item: String, words: String, status: ResponseStatus = .completed
    ) {
        let place = AnswerPlace(responseID: id, itemID: item)
        let isWhole = status == .completed
        let message = ResponseItem.message(
            MessageItem(
                id: item, role: .assistant, content: [.outputAudio(nil, transcript: words)],
                status: isWhole ? .completed : .incomplete))
        if isWhole { server(.audioTranscriptDone(place, transcript: words)) }
        server(
            .outputItemDone(message, responseID: id, outputIndex: 0),
            .responseDone(RealtimeResponse(id: id, status: status, output: [message], conversationID: "c")))
    }
}

/// Two are equal if they look alike.
extension VoiceAction: Equatable {
    static func == (first: VoiceAction, second: VoiceAction) -> Bool {
        String(reflecting: first) == String(reflecting: second)
    }
}

/// Two are equal if they look alike.
extension EchoEvent: Equatable {
    static func == (first: EchoEvent, second: EchoEvent) -> Bool {
        String(reflecting: first) == String(reflecting: second)
    }
}
