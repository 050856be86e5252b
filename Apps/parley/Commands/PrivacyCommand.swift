// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain

/// `parley privacy`: shows which data is stored where, for how long, and who can read it.
struct PrivacyCommand: Command {
    static let specification = CommandSpecification(
        path: ["privacy"], summary: "Say what is stored where, for how long, and who can read it")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try console.show(PrivacyText.plain(isTranslated: console.isTranslated, console.text))
        try console.emit(["text": PrivacyText.markdown])
        return .done
    }
}

/// A part of the privacy text.
private struct PrivacySection: Sendable {
    let title: Sentence
    let items: [Sentence]

    init(_ title: Sentence, _ items: [Sentence]) { (self.title, self.items) = (title, items) }
}

/// The privacy text; `docs/privacy.md` has the same text, letter by letter.
enum PrivacyText {
    /// The text as a page of the documentation.
    static let markdown =
        "# Privacy\n\n" + introduction.english + "\n"
        + sections.map { section in
            "\n## \(section.title)\n\n" + section.items.map { "- \($0)\n" }.joined()
        }.joined()

    /// The text for a terminal; a translation says that the English text holds.
    ///
    /// - Parameter text: Translates a sentence.
    static func plain(isTranslated: Bool, _ text: (Sentence) -> String) -> String {
        let note = isTranslated ? "\n\(text(translation))\n" : ""
        return text(introduction) + "\n"
            + sections.map { section in
                "\n\(text(section.title))\n"
                    + section.items.map { "  \(text($0).filter { $0 != "`" })\n" }.joined()
            }.joined() + note
    }

    private static let translation: Sentence =
        "This is a translation. If they differ, the English text holds: PARLEY_LANGUAGE=en parley privacy"

    private static let introduction: Sentence =
        "Everything stays on this device unless you send it. This says what is stored where, for how long, and who can read it."

    private static let sections: [PrivacySection] = [
        PrivacySection(
            "On this device",
            [
                """
                Questions, the files that you attached, what was heard, and answers: `conversations.sqlite`, until \
                you delete them. `--no-history` keeps none. Questions that wait for the model (`--later`) are \
                there, too. What `talk` and `listen` hear is never stored as sound.
                """,
                "Practice: results and what is known of recordings in `practice.sqlite`, until you delete them.",
                """
                Recordings of practice: `recordings/`, encrypted, until you delete them or `parley recordings \
                limit` does. Their key is among your secrets.
                """,
                """
                Secrets (API keys, the key of the recordings, your session): the desktop's keyring, or \
                `secrets.sealed` where there is none.
                """,
                """
                Statistics: when your questions of the last 90 days began, how each ended and what it took, without \
                a word of them, in `conversations.sqlite`. `parley stats` shows them; they are never sent, and go \
                with their question.
                """,
                "What you typed in chats: `chat-inputs`, the newest 2,000 lines.",
                """
                A model's answers to questions for facts, with the questions: `answers.sqlite`, 7 days unless \
                `parley cache limit` says otherwise, and until you delete history or conversations.
                """,
                """
                The parts of your situation that `parley context allow` names are read for questions to a model, \
                and stored only in the turn that sent them, and as numbers and words beside an answer that is kept. \
                The choice is in `context.json`, your calendars stay where they are.
                """,
                """
                Caches: `http-cache.sqlite`, up to a week; `vectors.sqlite`, up to a year; what a voice elsewhere \
                has spoken for you, in `speech-cache.sqlite`, up to 90 days; uploads under way: `uploads/`.
                """,
                """
                Settings: the configuration folder, and `settings.sqlite` for what `parley settings`, `assistant`, \
                `speech`, `prompts` and `voices` stored. They say which servers and tools you use. After `parley \
                suggestions on`, that choice is there, with the questions that were suggested in the last 28 days \
                and a hash of each that you dismissed; your history on this device decides what is suggested, and \
                nothing is sent. Deleting history or conversations deletes their words.
                """,
                """
                With `parley sync`: the conversations, the settings that travel, the voice profiles and the results \
                without an account once more, in `sync.sqlite`, for your other devices, each with the last seven \
                values that were overwritten. This device's keys and the words of the recovery phrase are among \
                your secrets.
                """,
                """
                Timers and alarms with their labels: `alarms.sqlite`, until they have rung or you cancel them. \
                systemd knows their times, not their labels.
                """,
                """
                Where the program crashed: `crashes/`, the last ten reports, with the addresses of functions and \
                the last log lines without private values; nothing of what was said or typed. `parley crash` shows \
                and deletes them; they are never sent.
                """,
                """
                What the program did and what failed: `logs/`, at most 10 MB, for a week, without private values; \
                nothing of what was said or typed. `parley logs` shows it; it is never sent.
                """,
                """
                The times of the stages of your last turns, at most 100, and of the requests to your own server, each \
                under the id of its turn or command: `logs/`. `parley trace` shows them, `--no-history` keeps none.
                """,
                """
                `parley diagnostics export` puts versions, findings, sizes, counts, the log and reports of crashes \
                into a file for somebody who helps you: nothing of what was said or typed, and no secret.
                """,
                "Damaged files that were set aside stay beside the new ones until you delete them.",
                """
                All of it is in `~/.local/share/parley` and `~/.config/parley`, or in `PARLEY_HOME`. Only your user \
                can read it, and the administrator of the machine. Recordings and secrets are encrypted; who has \
                your password can read them.
                """,
                """
                With a passphrase of your own (`parley secrets lock`) all of it but the configuration folder, timers, \
                logs, reports of crashes and uploads is encrypted with what only you know. What you ask without \
                giving it waits in `inbox/`, encrypted, too.
                """,
            ]
        ),
        PrivacySection(
            "Between your devices",
            [
                """
                Nothing before `parley sync setup`. Then your conversations, settings, voice profiles and results \
                without an account are at the place that you named, sealed with keys that only your devices and the \
                recovery phrase have.
                """,
                "Who keeps the place sees ids, sizes, times and addresses of your devices; no word, no title and no name.",
                """
                What you delete is deleted on all devices. `parley data delete` deletes it on this one alone; \
                `parley sync leave` keeps it here and ends the exchange.
                """,
            ]
        ),
        PrivacySection(
            "At your account's server",
            [
                "Nothing before you sign in, and no recording and no result before you agree: `parley consent show`.",
                "With your account: your mail address, the times and the names of the machines that you signed in from.",
                """
                With your consent: recordings that you keep, your results, and what the server made of them. The \
                server keeps them for as long as the consent text says; you can delete them earlier.
                """,
                "The server's operator can read all of that. Other accounts cannot.",
                "`parley practice --local` keeps what you practise on this device, also with your consent.",
            ]
        ),
        PrivacySection(
            "At a model's server",
            [
                """
                What you write in `parley chat`, files that you attach, what you say in `parley talk --mode \
                realtime`, and what tools answer goes to the server that you chose, and to no other. It is asked to \
                store nothing; what it does is its operator's word.
                """,
                """
                Texts that `parley embed` and `parley search` read go there, too, and with `parley conversations \
                search --meaning --model NAME` your messages; without a model, both searches ask nobody. With \
                `--preload-model`, `talk` and `listen` send questions for facts that you asked before, and will \
                probably ask again, before you do.
                """,
                """
                Of your situation nothing before `parley context share`; then what `parley context show` shows, \
                with each question that the model of `parley assistant` gets, until `parley context withhold`.
                """,
            ]
        ),
        PrivacySection(
            "At a speech engine",
            [
                "Nothing before `parley speech use`: this machine hears and speaks by itself.",
                """
                With an engine that hears: the sound of what you say in `talk`, `listen` and `transcribe`, as far \
                as it is taken for speech, and not before the wake word. With an engine that speaks: the text of \
                the answers, and of `parley say`.
                """,
                """
                Who runs the engine can keep all of it; on a machine of your own that is you. Wyoming and http:// \
                have no encryption: anybody on the way to another machine can listen, so Parley asks before, and \
                `parley doctor` warns.
                """,
                "`parley speech use local` ends it at once.",
            ]
        ),
        PrivacySection(
            "Your rights",
            [
                "See it: `parley data export FILE` writes everything, here and at the server, into one archive.",
                "Take back your consent: `parley consent withdraw` stops sending at once, and offers to delete what was sent.",
                """
                Delete it: `parley data delete` deletes everything of yours here but tools, pinned keys and limits, \
                and your data at the server.
                """,
                "Leave: `parley account delete` deletes your account with everything in it at the server.",
            ]
        ),
    ]
}
