// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Domain
import Echo
import FoundationEssentials
import Glibc

/// The questions and answers of a chat at a terminal or in a script.
final class ChatSession: Sendable {
    let partner: any ChatPartner
    let console: Console
    private let screen: ChatScreen
    private let transcript = Guarded(ChatTranscript())

    init(partner: any ChatPartner, console: Console) {
        self.partner = partner
        self.console = console
        screen = ChatScreen(console: console)
    }

    /// Answers one question; throws any error.
    func answer(_ question: String) async throws {
        if await partner.mode == .audio {
            // The reader of the voice events shows the answer.
            transcript.withLock { $0.asked(question, at: .now) }
            return try await partner.answer(question) { _ in }
        }
        let name = await partner.name
        let before = await partner.cost()
        transcript.withLock { $0.asked(question, at: .now) }
        do {
            try await partner.answer(question) { [self] event in
                transcript.withLock { transcript in
                    switch event {
                    case .text(let text): transcript.said(text, by: name, at: .now)
                    case .toolEnded(let call, let result, _), .toolDenied(let call, let result, _):
                        transcript.called(call, result, at: .now)
                    case .startingServers, .toolStarted, .notice: break
                    }
                }
                try screen.show(event)
            }
        } catch {
            transcript.withLock { $0.brokeOff() }
            // The received part stays, and the error is shown below it.
            try screen.end()
            throw error
        }
        let text = try screen.end()
        try console.emit(AnswerEvent(text: text, model: name, before: before, after: await partner.cost()))
    }

    /// Answers one question after another, until the person ends it.
    func run(at terminal: ChatTerminal, history: PromptHistory?) async throws -> ExitCode {
        let voice = ChatVoice(partner: partner, console: console, terminal: terminal) { [weak self] change in
            self?.transcript.withLock { change(&$0) }
        }
        defer {
            voice.end()
            terminal.close()
        }
        var known = load(history)
        terminal.remember(known)
        console.progress(console.styled("\(await partner.name). /help says what there is; Ctrl-D ends.", .dim))
        var interrupts = 0
        while let happening = await terminal.line(voice.prompt) {
            switch happening {
            case .end: return .done
            case .clearScreen: break
            case .interrupt:
                interrupts += 1
                if interrupts > 1 { return .done }
                try? await partner.interrupt()
                console.progress(console.styled("Ctrl-C again, or Ctrl-D, ends.", .dim))
            case .line(let line):
                interrupts = 0
                let request = ChatRequest(line)
                if request == .nothing { continue }
                if known.last != line { known.append(line) }
                terminal.remember(known)
                keep(line, in: history)
                if try await !carryOut(request, at: terminal, voice) { return .done }
            }
        }
        try Task.checkCancellation()
        return .done
    }

    /// - Returns: False at the end.
    private func carryOut(_ request: ChatRequest, at terminal: ChatTerminal, _ voice: ChatVoice) async throws -> Bool {
        do {
            switch request {
            case .nothing: break
            case .quit: return false
            case .question(let question): try await answer(question, at: terminal)
            case .help: console.progress(ChatRequest.overview)
            case .mistake(let text): console.progress(text)
            case .clear:
                await partner.forget()
                transcript.withLock { $0.removeAll() }
                console.progress(
                    console.styled("The conversation is cleared. The next question starts a new one.", .dim))
            case .model(nil): try console.show(await partner.name)
            case .model(let name?):
                try await partner.use(model: name)
                console.progress(console.styled("\(await partner.name.printable) answers from now on.", .dim))
            case .tools:
                try await interruptibly(at: terminal) { [self] in
                    let status = StatusLine(console: console)
                    status.show("Asking the tool servers …")
                    defer { status.clear() }
                    let tools = try await partner.tools()
                    status.clear()
                    try ChatText.tools(tools, console)
                }
            case .cost: try ChatText.cost(await partner.cost(), console)
            case .save(let path): try save(to: path)
            case .attach(let path):
                let file = try AttachedFile(path: path)
                try await partner.attach([file])
                console.progress(console.styled("\(file.words.printable) goes with the next question.", .dim))
            case .voice: try await interruptibly(at: terminal) { try await voice.begin() }
            case .text: try await interruptibly(at: terminal) { try await voice.goOnInText() }
            case .mute: try await voice.mute()
            }
        } catch is CancellationError where !Task.isCancelled {
            console.progress(console.styled("Stopped.", .dim))
        } catch let error as OutputStream.Closed {
            throw error
        } catch {
            try Task.checkCancellation()
            console.report(error)
        }
        return true
    }

    private func answer(_ question: String, at terminal: ChatTerminal) async throws {
        try await interruptibly(at: terminal) { [self] in try await answer(question) }
    }

    /// Runs `body`, which Ctrl-C or the end of this task cancels.
    private func interruptibly(
        at terminal: ChatTerminal, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let task = Task { try await body() }
        try await terminal.whileBusy(onInterrupt: { task.cancel() }) {
            try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    private func save(to path: String) throws {
        let transcript = transcript.withLock { $0 }
        guard !transcript.isEmpty else {
            throw DomainError.invalidInput("Nothing has been said yet, so there is nothing to save.")
        }
        try NewFile.write(try transcript.content(for: path), to: path)
        console.progress(console.styled("The chat is in \(path.printable).", .dim))
    }

    private func load(_ history: PromptHistory?) -> [String] {
        do { return try history?.load() ?? [] } catch {
            console.report(error)
            return []
        }
    }

    private func keep(_ line: String, in history: PromptHistory?) {
        do { try history?.add(line) } catch { console.report(error) }
    }

    /// `{"event":"answer",…}`: the whole answer and its cost.
    private struct AnswerEvent: Encodable {
        let event = "answer"
        let text: String
        let model: String
        let usage: UsageOutput?
        let cost: Double?

        init(text: String, model: String, before: ChatCost?, after: ChatCost?) {
            self.text = text
            self.model = model
            guard let before, let after else {
                (usage, cost) = (nil, nil)
                return
            }
            usage = UsageOutput(after.total, since: before.total)
            cost = after.cost - before.cost
        }

        private enum CodingKeys: String, CodingKey { case event, text, model, usage, cost }
    }
}

/// A file that must not exist yet.
enum NewFile {
    /// Writes a file whole, or not at all.
    ///
    /// - Throws: `DomainError.file`, also if there is a file of that name, which stays unchanged.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let temporary = "\(path).part-\(getpid())"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        defer {
            close(descriptor)
            unlink(temporary)
        }
        do { try OutputStream(descriptor: descriptor).write(bytes) } catch { throw failure(path) }
        // Unlike a renaming, a link never replaces an existing file.
        guard fsync(descriptor) == 0, link(temporary, path) == 0 else { throw failure(path) }
    }

    private static func failure(_ path: String) -> DomainError {
        if errno == EEXIST { return .file("There is a file \(path.printable) already; it stays. Choose another name.") }
        let reason = String(cString: strerror(errno))
        return .file("\(path.printable) cannot be written: \(reason). Choose a folder that exists, with free space.")
    }
}
