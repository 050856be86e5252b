// SPDX-License-Identifier: MIT

import TestKit

@testable import EchoText

/// A caller, a model, tools and a program around a ``TextTurnMachine``: the same for the same seed. It notes each broken
/// promise in ``failures``.
struct TextWorld {
    enum Work {
        case asking(isFirst: Bool)
        case running([ToolCall])
    }

    var machine: TextTurnMachine
    var generator: SeededGenerator
    private(set) var work: Work?
    private(set) var failures: [String] = []
    private(set) var ends: [TextTurnMachine.End] = []
    private(set) var log: [String] = []
    /// The number of results in the history, by call.
    private var results: [String: Int] = [:]
    private var isWaiting = false
    private var isTurnOpen = false
    private var isSpeaking = false
    private var isPausing = false
    private(set) var isClosed = false
    private(set) var holdsLine = false
    private var counter = 0

    init(seed: UInt64 = 0, isAutomatic: Bool = true, maximumRounds: Int = 3) {
        machine = TextTurnMachine(maximumRounds: maximumRounds, isAutomatic: isAutomatic)
        generator = SeededGenerator(seed: seed)
    }

    /// True if no turn waits for the model, the tools or its caller.
    var isQuiet: Bool { work == nil && !isWaiting }

    private mutating func fail(_ problem: String) { failures.append("\(problem), after \(log.suffix(8))") }

    private mutating func input(_ input: TextTurnMachine.Input) {
        log.append("\(input)".prefix(40).description)
        let wasOver = isClosed && isQuiet
        for action in machine.handle(input) {
            if wasOver, !action.isAllowedAfterTheEnd { fail("\(action) after the end") }
            take(action)
        }
    }

    private mutating func take(_ action: TextTurnMachine.Action) {
        switch action {
        case .addMessage, .ask, .askAnew:
            if case .addMessage = action {} else { begin(.asking(isFirst: action.isAsk)) }
            if results.values.contains(0) { fail("\(action) before each call had a result") }
        case .run(let calls): begin(.running(calls))
        case .addResult(let result):
            guard let count = results[result.callID] else { return fail("a result without a call") }
            results[result.callID] = count + 1
            if count > 0 { fail("\(result.callID) has two results") }
        case .closeCalls: for call in results.keys where results[call] == 0 { results[call] = 1 }
        case .emit(let event): emitted(event)
        case .stop: if work == nil { fail("nothing can be stopped") }
        case .releaseLine:
            if !holdsLine { fail("the line is not held") }
            holdsLine = false
        case .finish(let end):
            if !isWaiting || work != nil { fail("no caller can continue") }
            isWaiting = false
            ends.append(end)
        }
    }

    private mutating func begin(_ new: Work) {
        if work != nil { fail("two things are done at once") }
        work = new
    }

    private mutating func emitted(_ event: EchoEvent) {
        switch event {
        case .turnChanged(.assistant):
            if isTurnOpen { fail("a turn began twice") }
            isTurnOpen = true
        case .turnEnded(.assistant):
            if !isTurnOpen { fail("a turn ended twice") }
            if isSpeaking { fail("a turn ended while the assistant spoke") }
            isTurnOpen = false
        case .assistantStartedSpeaking:
            if isSpeaking || !isTurnOpen { fail("the assistant cannot begin") }
            isSpeaking = true
        case .assistantStoppedSpeaking:
            if !isSpeaking { fail("the assistant cannot stop") }
            isSpeaking = false
        case .error, .assistantInterrupted: if !isTurnOpen { fail("\(event) outside of a turn") }
        default: break
        }
    }

    // MARK: The caller and the program

    mutating func send() {
        guard isQuiet, !holdsLine, !isPausing else { return }
        isWaiting = true
        input(.send("Hello"))
    }

    mutating func submit(_ calls: [ToolCall]) {
        guard isQuiet, !holdsLine, !isPausing else { return }
        isWaiting = true
        input(.submit(calls.map { ToolResult(callID: $0.id, output: "Noon") }))
    }

    mutating func interrupt() { input(.interrupt) }

    /// The caller's task is cancelled, which cancels the work.
    mutating func cancel() { finishWork(.cancelled) }

    mutating func pause() {
        guard !isPausing, !holdsLine else { return }
        isPausing = true
        input(.pause)
        holdLine()
    }

    private mutating func holdLine() {
        guard isPausing, isQuiet else { return }
        (isPausing, holdsLine) = (false, true)
        input(.paused)
    }

    mutating func resume() { if !isPausing { input(.resume) } }

    mutating func close() {
        input(.close)
        isClosed = true
    }

    // MARK: The model and the tools

    mutating func delta() { if case .asking? = work { input(.delta) } }

    /// Ends the work, as the driver reports it.
    private mutating func finishWork(_ outcome: TextTurnMachine.Input) {
        guard work != nil else { return }
        work = nil
        input(outcome)
        if work == nil, isWaiting { fail("the caller waits for nothing") }
        holdLine()
    }

    mutating func answer(calls count: Int = 0) {
        guard case .asking? = work else { return }
        let calls = (0..<count).map { _ in
            counter += 1
            return ToolCall(id: "c\(counter)", name: "f", arguments: "{}")
        }
        for call in calls { results[call.id] = 0 }
        finishWork(.answered(calls))
    }

    mutating func runTools(failing: Bool = false) {
        guard case .running(let calls)? = work else { return }
        finishWork(.ran(calls.map { ToolResult(callID: $0.id, output: "Noon", isError: failing) }))
    }

    mutating func fail(_ error: EchoError) { finishWork(.failed(error, mayRepeat: false)) }

    /// The server has lost the answer that a request continued. The whole history is always understood.
    mutating func forget() {
        guard case .asking(isFirst: true)? = work else { return }
        finishWork(.failed(EchoError.notFound(APIFailure(message: "gone")), mayRepeat: true))
    }

    // MARK: The verdict

    /// Ends everything, and checks what has to hold then.
    mutating func finish() {
        for _ in 0..<20 where !isQuiet {
            answer()
            runTools()
        }
        resume()
        if !machine.pendingCalls.isEmpty { submit(machine.pendingCalls) }
        answer()
        if !isQuiet || holdsLine { fail("it does not come to rest") }
        if isTurnOpen || isSpeaking { fail("a turn has not ended") }
        for (call, count) in results where count != 1 && !isClosed { fail("\(call) has \(count) results") }
        send()
        answer()
        if isClosed, case .closed? = ends.last {} else if isClosed { fail("a closed engine took a message") }
        if !isClosed, case .returned? = ends.last {} else if !isClosed { fail("the next turn is not one as usual") }
    }
}

extension TextTurnMachine.Action {
    fileprivate var isAllowedAfterTheEnd: Bool {
        switch self {
        case .finish, .releaseLine: true
        default: false
        }
    }
    fileprivate var isAsk: Bool { if case .ask = self { true } else { false } }
}
