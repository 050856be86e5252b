// SPDX-License-Identifier: MIT

@testable import Echo
@testable import EchoText

/// A voice conversation to which anything happens.
struct Trial {
    private var machine: VoiceMachine
    private var now = Duration.zero
    private var sessions: [Int] = []
    private var requests: [String] = []
    private var calls: [String] = []
    private var judgements: [Int] = []
    private var given = 0
    private var heard = 0
    /// Since when the device is to be silent.
    private var flushing: Duration?
    private var commands = 0
    private var waiting: Set<Int> = []

    init(configuredBy byte: UInt8) {
        var configuration = VoiceMachine.Configuration()
        switch byte & 3 {
        case 0: configuration.session.turnDetection = .manual
        case 1: configuration.session.turnDetection = .disabled
        case 2: configuration.session.turnDetection = .automatic(VADConfiguration(createsResponse: true))
        default: break
        }
        configuration.hasGuardrail = byte & 4 != 0
        configuration.runsTools = byte & 64 == 0
        configuration.filler = byte & 8 != 0 ? VoiceConfiguration.Filler() : nil
        if byte & 32 != 0 { configuration.turns.idleTimeout = .seconds(20) }
        machine = VoiceMachine(configuration: configuration)
        input(.start)
    }

    /// Something happens.
    mutating func step(_ byte: UInt8, _ detail: UInt8) {
        let small = Int(detail & 3)
        let (user, answer, response) = ("u\(small)", "a\(small)", "r\(detail >> 2 & 3)")
        let place = AnswerPlace(responseID: response, itemID: answer, contentIndex: Int(detail >> 4 & 1))
        switch byte % 40 {
        case 0: pass(.milliseconds(Int(detail) * 10))
        case 1: pass(.seconds(Int(detail)))
        case 2: if !sessions.isEmpty { input(.opened(sessions.removeFirst())) }
        case 3: input(.failed(machine.lifecycle.session ?? small, .broken(retryAfter: nil)))
        case 4: input(.failed(sessions.last ?? small, small == 0 ? .refused("no") : .broken(retryAfter: .seconds(1))))
        case 5: input(.captured([UInt8](repeating: 1, count: Int(detail) * 8)))
        case 6: play(Int(detail) * 100)
        case 7: if flushing != nil { flush() }
        case 8: input(.voice(detail & 1 == 0))
        case 9: say()
        case 10: input(.command(.beginTurn))
        case 11: input(.command(.endTurn))
        case 12: ask { .interrupt($0) }
        case 13: ask { .windUp($0, within: .seconds(1)) }
        case 14: input(.command(.goOn))
        case 15: if !calls.isEmpty { input(.toolAnswered(ToolResult(callID: calls.removeFirst(), output: "done"))) }
        case 16: if !judgements.isEmpty { input(.judged(id: judgements.removeFirst(), isAllowed: detail & 1 == 0)) }
        case 17: server(.speechStarted(itemID: user, audioStart: Int(detail)))
        case 18: server(.speechStopped(itemID: user, audioEnd: Int(detail) * 10))
        case 19: server(.inputAudioCommitted(itemID: user, at: .after("a\(detail >> 2 & 3)")))
        case 20: server(.transcriptDelta(itemID: user, contentIndex: 0, delta: "word", logprobs: []))
        case 21: server(.transcriptCompleted(RealtimeTranscript(itemID: user, text: detail & 4 == 0 ? "words" : "")))
        case 22: server(.transcriptFailed(itemID: user, contentIndex: 0, APIFailure(message: "no")))
        case 23:
            let metadata = requests.popLast().map { [ResponseGate.metadataName: $0] } ?? [:]
            server(.responseCreated(RealtimeResponse(id: response, conversationID: "c", metadata: metadata)))
        case 24, 25: server(.responseDone(done(response, answer, detail)))
        case 26: server(.itemAdded(item(answer), at: .after(user)))
        case 27: server(.audioTranscriptDelta(place, delta: detail & 32 == 0 ? "so. " : "it"))
        case 28: server(.audioDelta(place, [UInt8](repeating: 2, count: Int(detail) * 64)))
        case 29: server(.audioTranscriptDone(place, transcript: "so. it"))
        case 30: server(.itemDone(item(answer), at: .end), .itemDeleted(id: user))
        case 31:
            let failure = APIFailure(code: detail & 1 == 0 ? ResponseGate.busyCode : "other", message: "no")
            server(.error(failure, clientEventID: requests.last))
        case 32: server(.error(APIFailure(code: "session_expired", message: "over"), clientEventID: nil))
        case 33:
            let results = calls.map { ToolResult(callID: $0, output: "done") }
            calls = []
            ask { .submit($0, results) }
        case 34: input(.command(.mute(detail & 1 == 0)))
        case 35: input(.counted(Spending(total: Double(detail), voice: Double(small), limit: 200)))
        case 36: if detail == 7 { input(.deviceFailed("it is gone")) }
        case 37: if detail & 7 == 0 { input(.command(.handOver)) }
        case 38: ask { .awaitLateWords($0, within: .seconds(1)) }
        default:
            server(
                .itemTruncated(id: answer, contentIndex: 0, audioEnd: Int(detail)),
                .idleTimeout(itemID: user, audioStart: 0, audioEnd: 1))
        }
    }

    /// Everything ends, and every command is answered.
    mutating func finish() {
        input(.command(.stop))
        precondition(waiting.isEmpty, "a command was forgotten")
    }

    private func item(_ id: String) -> ResponseItem {
        .message(MessageItem(id: id, role: .assistant, content: [.outputAudio(nil, transcript: "so. it")]))
    }

    private func done(_ id: String, _ answer: String, _ detail: UInt8) -> RealtimeResponse {
        let statuses: [ResponseStatus] = [.completed, .cancelled, .failed, .incomplete]
        let call = ResponseItem.functionCall(
            FunctionCallItem(id: "f\(detail)", callID: "k\(detail)", name: "tool", arguments: "{}"))
        return RealtimeResponse(
            id: id, status: statuses[Int(detail >> 4 & 3)], output: detail & 64 == 0 ? [item(answer)] : [call],
            conversationID: "c")
    }

    private mutating func server(_ details: ServerEvent.Detail...) {
        for detail in details { input(.server(machine.lifecycle.session ?? 1, ServerEvent(detail))) }
    }

    private mutating func say() {
        ask { .say($0, id: "m\($0)", text: "hello") }
    }

    private mutating func ask(_ command: (Int) -> VoiceCommand) {
        commands += 1
        waiting.insert(commands)
        input(.command(command(commands)))
    }

    private mutating func play(_ frames: Int) {
        heard = min(heard + frames, given)
        input(.heard(frames: heard))
    }

    private mutating func flush() {
        flushing = nil
        given = heard
        input(.flushed(heard: heard))
    }

    private mutating func pass(_ duration: Duration) {
        now += duration
        var rounds = 0
        while let deadline = machine.deadline, deadline <= now {
            rounds += 1
            precondition(rounds < 1_000, "time stands still")
            take(machine.advance(to: now))
        }
    }

    private mutating func input(_ input: VoiceInput) {
        take(machine.handle(input, at: now))
        precondition(machine.answers.count <= 8 && machine.cutResponses.count <= 32, "answers pile up")
    }

    private mutating func take(_ actions: [VoiceAction]) {
        precondition(actions.count < 5_000, "too much at once")
        for action in actions {
            switch action {
            case .connect(let number): sessions.append(number)
            case .send(_, let event):
                if case .responseCreate = event.detail, let id = event.id { requests.append(id) }
            case .play(let bytes):
                let isLate = flushing.map { now - $0 >= AnswerPlayback.patience } ?? true
                precondition(isLate, "played while silence is being made")
                given += bytes.count / 2
            case .flush: flushing = now
            case .call(let call): calls.append(call.id)
            case .judge(let id, _): judgements.append(id)
            case .done(let number, _): precondition(waiting.remove(number) != nil, "a command is done twice")
            case .emit(.toolCallRequested(let call)): if !machine.configuration.runsTools { calls.append(call.id) }
            case .close, .messages, .emit, .deliver, .count, .listTools, .report, .started, .startFailed, .fallBack:
                break
            }
        }
    }
}
