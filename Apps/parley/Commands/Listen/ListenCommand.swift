// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Diagnostics
import Domain
import Speech
import TerminalKit

/// `parley listen`: the assistant that waits for its wake word, all day.
struct ListenCommand: Command {
    private static let budget = ModelOptions.budget(
        "Ask nothing ahead (--preload-model) once so much was spent on it, such as 0.50; 0.10 by default")
    private static let noNotifications = Flag("no-notifications", help: "Show nothing on the desktop")
    static let specification = CommandSpecification(
        path: ["listen"],
        summary: "Wait for the wake word, then answer aloud, until Ctrl-C",
        discussion: """
            Say "hey jarvis", then ask, in one breath or after the tone. After an answer a further question needs no
            wake word for some seconds, and whoever speaks into an answer cuts it off. What fails (a microphone that is
            unplugged, a sound server that dies) is used again as soon as it works. parley install makes it a service. Timers
            and alarms ring while it runs, and questions that wait for the model (--later) are answered when it is back.
            While nobody asks anything, it prepares the answers to your three likeliest next questions, by your habits and on
            this device; --preload-model also asks the model, for facts alone, without tools. Nothing on a battery below 20%.
            Events in JSON: state, wakeWord, transcript, answer, error, interrupted, latency, device, failure, recovered,
            alarm (state ringing, stopped, cancelled, unanswered or missed), later, suggestion, power (isSaving: a cheaper
            detector of speech, and sound in larger pieces while nobody speaks to it).
            """,
        options: ListenOptions.declared + [
            PreloadChoice.asksModel, budget, noNotifications, Flag.noMap, Flag.later, Flag.noHistory,
        ])

    private let options: ListenOptions
    private let preload: PreloadChoice
    private let keepsHistory: Bool
    private let keepsForLater: Bool
    private let notifies: Bool
    private let drawsMap: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        options = try ListenOptions(invocation)
        preload = try PreloadChoice(invocation, budget: Self.budget)
        keepsHistory = !invocation.has(.noHistory)
        drawsMap = !invocation.has(.noMap)
        keepsForLater = try invocation.keepsForLater()
        notifies = !invocation.has(Self.noNotifications)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        // Otherwise each of the recogniser's threads keeps the memory that it once needed, 40 MB after an hour.
        AllocatedMemory.shareOneArena()
        let presenter = ListenPresenter(
            wakeWord: options.phrase.description, lowPower: options.lowPower,
            map: drawsMap ? AnswerMap(console: console) : nil, console: console, logger: app.logger)
        let model = app.passOnModel(isSpoken: true, asking: nil, keepsAnswers: keepsHistory)
        let choice = try await app.speechChoice(
            profile: options.profile, voice: .flite(options.voice), percent: options.rate, in: options.spoken,
            keepsSound: keepsHistory)
        let live = LiveRoom("listen", wakeWord: options.phrase.description, in: app)
        let preloadModel = app.preloadModel(preload)
        let (assistant, ringing): (ListenAllDay, RingAlarms)
        do {
            (assistant, ringing) = try await app.assistant(
                options, choice, storingIn: app.conversations(kept: keepsHistory), model: model,
                preloadModel: preloadModel, preloads: keepsHistory, keepsForLater: keepsForLater,
                controls: live?.publisher.controls)
        } catch {
            live?.publisher.close()
            throw error
        }
        defer { presenter.close() }
        let sign = sign(in: app)
        let notifications = notifies ? ListenNotifications(logger: app.logger, translator: console.translator) : nil
        await withTaskGroup { group in
            group.addTask { await notifications?.run() }
            group.addTask { try? await live?.publisher.run() }
            group.addTask { [notifies] in
                // Alarms that cannot be read are reported, and that ends nothing.
                try? await app.run(ringing, notifies: notifies, show: { await presenter.show($0) })
            }
            group.addTask { [notifies] in
                await app.answerWaitingMeanwhile(notifies: notifies) { await presenter.show($0, answer: $1) }
            }
            if keepsHistory {
                group.addTask { [notifies] in
                    await app.suggestMeanwhile(notifies: notifies) { await presenter.show($0) }
                }
            }
            // Cancellation, by Ctrl-C or the service manager, is the regular end.
            try? await assistant { event in
                app.turnSpans.note(event)
                notifications?.note(event)
                await live?.show(event)
                // A sign that cannot be written costs only what a panel shows.
                try? sign?.note(event)
                // The output has no reader any more: cancel this task, which is the run's own.
                if await !presenter.show(event) { withUnsafeCurrentTask { $0?.cancel() } }
            }
            group.cancelAll()
        }
        await model.close()
        await preloadModel?.close()
        try await presenter.rethrow()
        if let input = options.route.input, !Task.isCancelled, await !presenter.hasWoken {
            presenter.close()
            let name = input == StandardSound.word ? "standard input" : input.printable
            console.progress(
                "\"\(options.phrase)\" was not heard in \(name). A higher --sensitivity wakes up more easily.")
        }
        return .done
    }

    /// The sign for `parley status`; nil if another program listens already, or without a folder for it.
    private func sign(in app: CompositionRoot) -> ListenerSign? {
        do {
            try app.paths.makeDataFolder()
            return try ListenerSign(path: app.paths.listener)
        } catch {
            app.logger.warning("no sign for parley status: \("\(error)", privacy: .public)")
            return nil
        }
    }
}
