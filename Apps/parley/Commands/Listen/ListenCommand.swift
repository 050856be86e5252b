// SPDX-License-Identifier: MIT

import DataLayer
import Diagnostics
import Domain
import Speech

/// `parley listen`: the assistant that waits for its wake word, all day.
struct ListenCommand: Command {
    static let specification = CommandSpecification(
        path: ["listen"],
        summary: "Wait for the wake word, then answer aloud, until Ctrl-C",
        discussion: """
            Say "hey jarvis", then ask, in one breath or after the tone. After an answer a further question needs no
            wake word for some seconds, and whoever speaks into an answer cuts it off. What fails (a microphone that is
            unplugged, a sound server that dies) is used again as soon as it works. parley install makes it a service.
            Events in JSON: state, wakeWord, transcript, answer, error, interrupted, latency, device, failure, recovered.
            """,
        options: [
            OptionSpecification(
                name: "wake-word", short: "w", value: "WORDS", help: "What to wake up at; \"hey jarvis\" by default"),
            OptionSpecification(
                name: "phones", value: "WORD=PHONES",
                help: "How a word that the dictionary does not know is said, in ARPABET: parley=\"P AA R L IY\""),
            OptionSpecification(
                name: "sensitivity", value: "PERCENT", help: "How easily it wakes up, 0 to 100; 50 by default"),
            OptionSpecification(
                name: "follow-up", value: "SECONDS",
                help: "How long a further question needs no wake word, 0 to 60; 6 by default"),
            OptionSpecification(
                name: "input", short: "i", value: "FILE", help: "Hear a sound file, in real time, to its end",
                completion: .files),
            OptionSpecification(
                name: "output", short: "o", value: "FILE", help: "Speak into a WAV file", completion: .files),
            OptionSpecification(
                name: "device", short: "d", value: "NAME", help: "Use this ALSA device (parley devices lists them)"),
            TalkCommand.voiceOption, VoiceActivityChoice.option,
            OptionSpecification(name: "no-tones", help: "Play no tones"),
            OptionSpecification(name: "no-notifications", help: "Show nothing on the desktop"),
            OptionSpecification(name: "no-history", help: "Keep nothing of it"),
        ])

    private let options: ListenOptions
    private let keepsHistory: Bool
    private let notifies: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        options = try ListenOptions(invocation)
        keepsHistory = !invocation.has("no-history")
        notifies = !invocation.has("no-notifications")
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        // Else what the recogniser's threads once needed is kept by each of them, 40 MB after an hour.
        AllocatedMemory.shareOneArena()
        let presenter = ListenPresenter(
            wakeWord: options.phrase.description, console: console, logger: app.logger)
        let assistant = try await app.assistant(
            options, storingIn: app.conversations(kept: keepsHistory))
        defer { presenter.close() }
        let notifications = notifies ? ListenNotifications(logger: app.logger) : nil
        await withTaskGroup { group in
            group.addTask { await notifications?.run() }
            // Cancellation, by Ctrl-C or the service manager, is how this one is meant to end.
            try? await assistant { event in
                notifications?.note(event)
                // Nobody reads it any more: this is the run's own task.
                if await !presenter.show(event) { withUnsafeCurrentTask { $0?.cancel() } }
            }
            group.cancelAll()
        }
        try await presenter.rethrow()
        if let input = options.route.input, !Task.isCancelled, await !presenter.hasWoken {
            presenter.close()
            let name = input == StandardSound.word ? "standard input" : input.printable
            console.progress(
                "\"\(options.phrase)\" was not heard in \(name). A higher --sensitivity wakes up more easily.")
        }
        return .done
    }
}
