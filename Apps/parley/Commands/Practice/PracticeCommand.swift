// SPDX-License-Identifier: MIT

import AudioKitLinux
import CommandLineArguments
import Domain
import FoundationEssentials

/// `parley practice`: shows cues, records the readings, plays and evaluates them.
struct PracticeCommand: Command {
    private static let cue = NamePrefix.cue("Begin with this cue")
    private static let input = AudioRoute.input("Hear a sound file in real time instead of the microphone")
    private static let output = AudioRoute.output("Play into this WAV file")
    private static let format = ValueOption<Recording.Format>(
        "format", placeholder: "NAME", help: "How recordings are encoded: flac (default), opus",
        choices: Recording.Format.allCases)
    private static let rate = ValueOption<Int>(
        "rate", placeholder: "HERTZ", help: "Samples a second: 16000 or 48000 (default)",
        choices: [16_000, 48_000])
    private static let offline = Flag("offline", help: "Ask no server; what is kept is sent another time")
    private static let local = Flag("local", help: "What is kept now stays on this device, and is never sent")
    static let specification = CommandSpecification(
        path: ["practice"],
        summary: "Say cues, hear yourself, and see how it went",
        discussion: """
            Shows a cue, records you, and plays it to you; what you keep is evaluated here at once, and by the server if you
            are signed in. What comes next is chosen by how well you remember (FSRS). The keys that mean something are at the
            bottom. Recordings are encrypted on the disk, and sent to your server only if you agree (parley consent). Without a
            terminal each line of standard input is one key.
            """,
        options: CueOptions.all + [
            cue,
            AudioRoute.device,
            input,
            output,
            format,
            rate,
            offline,
            local,
            RecordingCompany.keepPlaying,
            AccountOptions.server,
        ])

    private let query: CueQuery
    private let cue: NamePrefix?
    private let route: AudioRoute
    private let format: Recording.Format
    private let rate: Int
    private let isOffline: Bool
    private let keepsPlaying: Bool
    private let isLocal: Bool
    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        query = CueOptions.query(invocation)
        cue = invocation[Self.cue]
        route = try AudioRoute(invocation, input: Self.input, output: Self.output)
        format = invocation[Self.format] ?? .flac
        rate = invocation[Self.rate] ?? 48_000
        isOffline = invocation.has(Self.offline)
        keepsPlaying = invocation.has(RecordingCompany.keepPlaying)
        isLocal = invocation.has(Self.local)
        account = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account, isOffline: isOffline, isLocal: isLocal, writes: true) {
            practice in
            try await app.applyRecordingLimit(practice)
            try await practice.storage.installStarterCues()
            let first = try await firstCue(practice)
            // The first cue does not wait for the server's flags.
            async let _ = practice.session.refreshFlags()
            let company = RecordingCompany(
                app: app, console: console, status: nil, keepsPlaying: keepsPlaying)
            try await practise(first, practice, company, console) { replacement in
                try await app.practicePorts(
                    practice, route: route, format: format, rate: rate, replacement: replacement,
                    nextCue: { [query] in try await practice.nextCue(query, skipping: $0) })
            }
            if !isLocal { await send(practice) }
        }
        return .done
    }

    /// Sends the waiting items for at most 5 s; parley service sends the rest.
    private func send(_ practice: Practice) async {
        guard let worker = practice.sync?.worker else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await worker.drain { _ in } }
            group.addTask { try? await Task.sleep(for: .seconds(5)) }
            await group.next()
            group.cancelAll()
        }
    }

    private func firstCue(_ practice: Practice) async throws -> Cue {
        guard let cue else { return try await practice.nextCue(query) }
        let candidates = try await practice.chooseNextCue(query).candidates()
        let id = try cue.one(of: candidates.map(\.id), called: "cue")
        guard let first = try await practice.storage.cues.cue(id) else {
            throw DomainError.notFound("cue of this kind")
        }
        return first
    }

    private func practise(
        _ first: Cue, _ practice: Practice, _ company: RecordingCompany, _ console: Console,
        _ makePorts: (@escaping SoundRecorder.Replacement) async throws -> PractiseCues.Ports
    ) async throws {
        let screen = PracticeScreen(first, console: console)
        let input = KeyInput()
        let asking = isLocal ? nil : KeepQuestion(practice.session, input, screen)
        defer {
            input.close()
            screen.close()
        }
        let (commands, send) = AsyncStream<PractiseCues.Command>.makeStream()
        let failure = FirstFailure()
        let ports = try await makePorts { [device = route.device] error in
            guard let next = company.replacement(for: device, after: error) else { return nil }
            send.yield(.pause)
            await screen.say(
                "\(Sentence(error)) The recording so far is kept. Space continues with \(next.name), Enter ends.")
            return next.device
        }
        let pressing = Task {
            for await key in input.keys {
                if let answer = await asking?.take(key) {
                    if let command = answer.command { send.yield(command) }
                    continue
                }
                switch await screen.action(for: key) {
                case .command(let command):
                    if await asking?.begins(before: command) != true { send.yield(command) }
                case .confirmQuit: await screen.confirmQuit()
                case .quit: return send.finish()
                case nil: continue
                }
            }
            send.finish()
        }
        defer { pressing.cancel() }
        // A recording pauses while the machine sleeps, until the person resumes it; other states have nothing to pause.
        try await company.run { isAboutToSleep in
            if isAboutToSleep { send.yield(.pause) }
        } body: {
            try await PractiseCues(ports)(first, commands: commands) { event in
                do { try await screen.show(event) } catch {
                    // The output has no reader any more: practice ends as at the person's request.
                    await failure.note(error)
                    send.finish()
                }
            }
        }
        try await failure.rethrow()
    }
}

/// The first error of code that cannot throw.
private actor FirstFailure {
    private var error: (any Error)?
    func note(_ error: any Error) { self.error = self.error ?? error }
    func rethrow() throws { if let error { throw error } }
}

/// `parley practice repair`: saves the readable part of a damaged practice file.
struct PracticeRepairCommand: Command {
    static let specification = CommandSpecification(
        path: ["practice", "repair"],
        summary: "Check the results and what waits; if they are damaged, keep them aside and save what can be read",
        discussion: "Close every other parley first: what it stores meanwhile ends up in the file that is set aside.")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let account = try await SystemManager.withoutServices("parley practice repair") {
            try await app.repairPractice()?.sentence
        }
        try console.show(console.text(account ?? "The practice file is sound. Nothing was changed."))
        try console.emit(Output(damaged: account != nil, message: account?.english))
        return .done
    }

    private struct Output: Encodable {
        let damaged: Bool
        let message: String?
    }
}
