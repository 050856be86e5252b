// SPDX-License-Identifier: MIT

import Concurrency
import Networking

/// A conversation by voice: drives a ``VoiceMachine``, which decides everything.
///
/// It connects sessions, moves sound, carries out tools, keeps the time, and reports the results to the machine.
/// Effects that may wait for other code (messages, events, answers to commands) pass through one queue apart from the
/// loop. All its tasks end with ``close()``.
actor VoiceEngine: ConversationEngine {
    /// The phase of a voice conversation.
    enum Phase {
        case running
        /// Another engine is being made.
        case pausing
        /// Another engine continues; late transcripts are still accepted.
        case retired
        case closed
    }

    /// The caller of a command.
    struct Caller {
        let continuation: CheckedContinuation<VoiceFailure?, any Error>
        /// Receives the text of the answer.
        let deltas: (@Sendable (String) -> Void)?
    }

    /// The listing of tools.
    enum Listing {
        case idle, running
        /// It runs, and has to run again.
        case runningAgain
    }

    nonisolated let mode = EchoMode.audio
    let context: ConversationContext
    let connection: APIConnection
    let configuration: EchoConfiguration
    let isAutomatic: Bool
    let executor: ToolExecutor
    let meter: UsageMeter
    let clock: ClientClock
    let tasks = OwnedTasks()
    let line = TurnLine()
    let effects: AsyncStream<VoiceEffect>.Continuation
    private let effectStream: AsyncStream<VoiceEffect>

    var machine = VoiceMachine(configuration: VoiceMachine.Configuration())
    var recorder: VoiceTraceRecorder?
    var phase = Phase.running
    // Inputs that arrived while the machine was handling another.
    private var inbox: ArraySlice<VoiceInput> = []
    private var isFeeding = false
    private var timer: (deadline: Duration, task: Task<Void, Never>)?
    private var worker: Task<Void, Never>?
    private var closing: Task<Void, Never>?

    // Sessions.
    var sessions: [Int: VoiceSession] = [:]
    /// The error of the last session that failed, with more detail than the machine needs.
    var lastError: EchoError?
    let ready = Promise<Void>()

    // Sound.
    var stream: (any VoiceStream)?
    var isFlushing = false
    /// Actions for the device, performed after the flush.
    var held: [VoiceAction] = []
    /// The devices' names, to report a change.
    var route = ""

    // Commands.
    var lastNumber = 0
    /// The callers of commands that are not done, by number.
    var callers: [Int: Caller] = [:]
    /// The place in the line that is held while another engine is made.
    var place: TurnLine.Place?

    // Tools.
    let toolCalls: AsyncStream<ToolCall>
    let toolCallsInput: AsyncStream<ToolCall>.Continuation
    var listing = Listing.idle

    // The end.
    /// Receives words that come after another engine has taken over, with their messages' ids.
    var late: (@Sendable (String, String) async -> Void)?
    /// Words that came before ``late`` was set.
    var unheard: [(id: String, transcript: String)] = []

    init(
        context: ConversationContext, connection: APIConnection, configuration: EchoConfiguration,
        automaticToolExecution: Bool, executor: ToolExecutor, meter: UsageMeter
    ) {
        self.context = context
        self.connection = connection
        self.configuration = configuration
        isAutomatic = automaticToolExecution
        self.executor = executor
        self.meter = meter
        clock = connection.clock
        (effectStream, effects) = AsyncStream.makeStream(of: VoiceEffect.self)
        (toolCalls, toolCallsInput) = AsyncStream.makeStream(of: ToolCall.self)
    }

    // MARK: The loop

    /// Starts performing the queued effects.
    func startWorking() {
        let stream = effectStream
        worker = Task { for await effect in stream { await self.performEffect(effect) } }
        tasks.add { await self.runTools() }
        tasks.add { await self.watchTools() }
    }

    /// Gives the machine an input, and performs its actions.
    func feed(_ input: VoiceInput) {
        inbox.append(input)
        guard !isFeeding else { return }
        goOn()
    }

    private func goOn() {
        isFeeding = true
        while let input = inbox.popFirst() {
            let now = clock.now()
            advance(to: now)
            let actions = machine.handle(input, at: now)
            recorder?.record(input, at: now, actions: actions)
            for action in actions { perform(action) }
        }
        isFeeding = false
        arm()
    }

    private func advance(to now: Duration) {
        guard let deadline = machine.deadline, deadline <= now else { return }
        let actions = machine.advance(to: now)
        recorder?.record(nil, at: now, actions: actions)
        for action in actions { perform(action) }
    }

    /// Sets a timer for the machine's next deadline. A timer that is too early does no harm.
    private func arm() {
        let deadline = ([machine.deadline] + sessions.values.map(\.deadline)).compactMap(\.self).min()
        guard phase != .closed, let deadline, timer.map({ $0.deadline > deadline }) ?? true else { return }
        timer?.task.cancel()
        let wait = max(deadline - clock.now(), .zero)
        let task = Task {
            guard (try? await clock.sleep(wait)) != nil else { return }
            self.fire(deadline)
        }
        timer = (deadline, task)
    }

    private func fire(_ deadline: Duration) {
        guard timer?.deadline == deadline else { return }
        timer = nil
        let now = clock.now()
        isFeeding = true
        advance(to: now)
        isFeeding = false
        for (number, session) in sessions where session.deadline.map({ $0 <= now }) ?? false { give(up: number) }
        goOn()
    }

    // MARK: The end

    func close() async {
        if let closing { return await closing.value }
        let task = Task { await self.end() }
        closing = task
        await task.value
    }

    private func end() async {
        feed(.command(.stop))
        phase = .closed
        timer?.task.cancel()
        ready.resolve(.failure(CancellationError()))
        for session in sessions.values { session.end() }
        sessions = [:]
        await closeDevice()
        toolCallsInput.finish()
        await tasks.close()
        effects.finish()
        await worker?.value
        releaseCallers()
        leavePlace()
    }
}
