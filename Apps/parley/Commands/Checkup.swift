// SPDX-License-Identifier: MIT

import AudioKitLinux
import Concurrency
import DBus
import DataLayer
import Domain
import Glibc
import Security
import Speech
import StateKnowledge
import TerminalKit

/// The checks of `parley doctor`, each on the real part.
struct Checkup: Sendable {
    let app: CompositionRoot
    let device: String

    /// Every check, in order.
    var checks: [@Sendable () async -> Finding] {
        [
            knowledge, history, practice, settings, timers, secrets, recognizer, dictation, flite, espeak, microphone,
            loudspeaker, journal, notifications, services,
            account, sync, pins, ModelCheck(app: app).callAsFunction,
        ]
    }

    /// The findings of every check and of the speech engines, in order; the engines are asked meanwhile.
    func findings(_ report: (Finding) throws -> Void = { _ in }) async throws -> [Finding] {
        async let speech = SpeechCheck(app: app)()
        var findings: [Finding] = []
        for check in checks {
            try Task.checkCancellation()
            findings.append(await check())
            try report(findings[findings.count - 1])
        }
        for finding in await speech { try report(finding) }
        return findings + (await speech)
    }

    private func knowledge() async -> Finding {
        await finding("Answers", broken: .broken, advice: "The program is damaged. Build it again.") {
            let answer = try app.knowledge.answer("What is the capital of Texas?")
            return "\(app.knowledge.states.count) states and districts; \"\(answer.text)\"" as Sentence
        }
    }

    private func history() async -> Finding {
        await repairable("History" as Sentence, in: app.paths.conversations, repair: "parley history repair") {
            try await app.conversations().findDamage()
        }
    }

    private func practice() async -> Finding {
        await repairable("Practice" as Sentence, in: app.paths.practice, repair: "parley practice repair") {
            try await app.practiceDamage()
        }
    }

    private func settings() async -> Finding {
        await stored(
            "Settings", in: app.paths.settings, isSealed: true,
            advice: "Until then the defaults hold, and no model is asked." as Sentence
        ) {
            _ = try await app.readSettings { (try $0.settings(), try $0.assistants()) }
        }
    }

    private func timers() async -> Finding {
        await stored(
            "Timers", in: app.paths.alarms, advice: "Until then no timer can be set, and none rings." as Sentence
        ) {
            _ = try await app.alarmClock().alarms()
        }
    }

    private func secrets() async -> Finding {
        await stored(
            "Secrets", in: app.paths.secrets, advice: "Until then what needs a key or a session fails." as Sentence
        ) {
            do { _ = try await app.secretStore(.file, passphrase: nil, writes: false) } catch let error
                as SecretStoreError
                where error.code == .wrongKey && !AppPaths.isMissing(app.paths.secretsKey)
            {
                // It has a passphrase of its own.
            }
        }
    }

    private func repairable(
        _ name: Sentence, in path: String, repair: String, _ damage: () async throws -> [String]
    ) async -> Finding {
        await stored(
            name, in: path, isSealed: true,
            advice: "Run \(repair): it keeps the damaged file and saves what can be read." as Sentence
        ) {
            let damage = try await damage()
            guard damage.isEmpty else { throw DomainError.storage(Sentence(verbatim: damage.joined(separator: "; "))) }
        }
    }

    /// Checks a file for damage, and whether it can be written, or made if it is missing.
    ///
    /// - Parameter isSealed: True if the app lock seals it; then nobody is asked for the passphrase.
    private func stored(
        _ name: Sentence, in path: String, isSealed: Bool = false, advice: Sentence, _ read: () async throws -> Void
    ) async -> Finding {
        if let obstacle = StorageObstacle(path: path) {
            return Finding(name, .broken, obstacle.reason, advice: obstacle.advice)
        }
        guard !AppPaths.isMissing(path) else {
            return Finding(name, .works, "nothing is stored yet in \(path)").impersonal("nothing is stored yet")
        }
        if isSealed, (try? await app.sealedData.isLocked()) != false {
            return Finding(name, .works, "\(path) is sealed, and a command that needs it asks for the passphrase")
                .impersonal("sealed")
        }
        return await finding(name, broken: .broken, advice: advice) {
            try await read()
            return "\(path) is sound" as Sentence
        }
    }

    private func recognizer() async -> Finding {
        await finding(
            "Recogniser", broken: .broken, isImpersonal: true, advice: "Scripts/bootstrap run installs what is missing."
        ) {
            let clock = ContinuousClock()
            let start = clock.now
            _ = try await app.recognizer()
            return "PocketSphinx, American English, loaded in \((clock.now - start).milliseconds) ms" as Sentence
        }
    }

    private func dictation() async -> Finding {
        await finding(
            "Offline dictation", broken: .limited, isImpersonal: true, advice: "Only --dictation offline needs it."
        ) {
            let clock = ContinuousClock()
            let start = clock.now
            _ = try await app.recognizer(of: .offline, showsWords: false)
            let time = (clock.now - start).milliseconds
            return "PocketSphinx's general English, for emergencies, loaded in \(time) ms" as Sentence
        }
    }

    private func flite() async -> Finding {
        await finding(
            "English voice", broken: .broken, isImpersonal: true,
            advice: "Scripts/bootstrap run installs what is missing."
        ) {
            var frames = 0
            for try await buffer in try FliteSynthesizer().synthesize("Austin.") {
                frames += buffer.frameCount
            }
            guard frames > 0 else { throw DomainError.speechEngine("flite made no sound") }
            return "flite, voices slt, rms, awb and kal16" as Sentence
        }
    }

    private func espeak() async -> Finding {
        await finding(
            "Other languages", broken: .limited, isImpersonal: true, advice: "Only parley say --language needs it."
        ) {
            _ = try await ESpeakSynthesizer(language: "de")
            return Sentence(verbatim: "eSpeak NG")
        }
    }

    private func microphone() async -> Finding {
        await finding(
            "Microphone", broken: .limited,
            advice: "parley talk --input FILE works without one. parley devices lists what there is."
        ) {
            let capture = try await AudioCapture.start(device: .alsa(device), configuration: .init())
            await capture.stop()
            return "\(device) records" as Sentence
        }
    }

    private func loudspeaker() async -> Finding {
        await finding(
            "Loudspeaker", broken: .limited,
            advice: "parley talk --output FILE works without one. parley devices lists what there is."
        ) {
            let playback = try await AudioPlayback.start(device: .alsa(device), configuration: .init())
            await playback.stop()
            return "\(device) plays" as Sentence
        }
    }

    private func journal() async -> Finding {
        access("/run/systemd/journal/socket", W_OK) == 0
            ? Finding("Journal", .works, "systemd's journal takes records")
            : Finding("Journal", .limited, "no systemd journal here; --verbose logs to standard error")
    }

    /// Asks for the program that shows notifications; nothing is shown.
    private func notifications() async -> Finding {
        let server = DBusObject(
            name: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications",
            interface: "org.freedesktop.Notifications")
        do throws(DBusError) {
            let program = try await DBusClient(.session).call("GetServerInformation", of: server).first?.string ?? ""
            return Finding("Notifications", .works, "\(program.printable) shows them")
        } catch {
            let (detail, remedy): (Sentence, Sentence) =
                switch error.code {
                case .noBus:
                    ("there is no desktop session here", "Start parley in a desktop session, to see them there.")
                case .noService:
                    ("nothing on this desktop shows them", "Install a notification daemon, for example dunst.")
                default: (Sentence(verbatim: error.message), "Install a notification daemon, for example dunst.")
                }
            return Finding(
                "Notifications", .limited, detail,
                advice: "Alarms, suggestions and late answers are not shown on the desktop. \(remedy)"
            ).impersonal(error.code.rawValue)
        }
    }

    private func services() async -> Finding {
        let name: Sentence = "Services"
        let running = await BlockingCall.run { SystemManager.running }
        let installed = app.installedFiles.units.filter { !AppPaths.isMissing($0.path) }.map(\.name)
        let stopped = installed.filter { !running.contains($0) }.joined(separator: " ")
        guard stopped.isEmpty else {
            return Finding(
                name, .limited, "\(stopped) does not run",
                advice: "Alarms, suggestions and late answers may not come until then. Run: systemctl --user restart "
                    + "\(stopped)"
            ).impersonal("installed, stopped")
        }
        let names = running.joined(separator: " ")
        return Finding(
            name, .works,
            names.isEmpty
                ? "none; parley install keeps parley listen and parley service running" as Sentence
                : Sentence(verbatim: names)
        ).impersonal(names.isEmpty ? "none" : "running")
    }

    /// Checks the account without the network and without the passphrase of the app lock; parley whoami uses both.
    private func account() async -> Finding {
        await finding("Account", broken: .limited, advice: "Only the account's commands need it.") {
            guard let settings = try AccountSettings.load(from: app.paths.account) else {
                return "none; parley sign-in EMAIL --server URL makes one" as Sentence
            }
            return settings.store == .keyring
                ? "at \(settings.server), the session in the keyring; parley whoami asks the server" as Sentence
                : "at \(settings.server), the session in the file; parley whoami asks the server" as Sentence
        }
    }

    /// Checks what the last exchange came to, without the network and without the passphrase of the app lock.
    private func sync() async -> Finding {
        var (failure, clock) = (Sentence?.none, Sentence?.none)
        let finding = await finding("Sync", broken: .limited, advice: "parley sync status says more.") {
            guard let settings = try SyncSettings.load(from: app.paths.syncSettings) else {
                return "not set up; parley sync setup keeps your conversations on several devices" as Sentence
            }
            let place: Sentence = "at \(settings.place.sentence)"
            guard try await !app.sealedData.isLocked(), !AppPaths.isMissing(app.paths.sync) else { return place }
            let state = SyncState(settings, try await app.syncSummary())
            (failure, clock) = (state.failure?.text, state.clock)
            return "\(place); \(state.lines.joined)"
        }
        guard let failure else {
            return clock.map { Finding("Sync", .limited, $0, advice: "parley sync now looks again.") } ?? finding
        }
        return Finding("Sync", .limited, failure, advice: "parley sync now tries again, and parley service by itself.")
    }

    private func pins() async -> Finding {
        await finding(
            "Pinned servers", broken: .limited,
            advice: "Until then parley connects to no server: its key cannot be checked."
        ) {
            let hosts = try app.trust.load().keys.sorted()
            return hosts.isEmpty
                ? "none; parley trust pin HOST pins one's key" as Sentence
                : Sentence(verbatim: hosts.joined(separator: ", "))
        }
    }

    /// - Parameter isImpersonal: True if the detail has no value of the person and of the machine.
    private func finding(
        _ name: Sentence, broken: Finding.Status, isImpersonal: Bool = false, advice: Sentence,
        _ check: () async throws -> Sentence
    ) async -> Finding {
        do {
            let detail = try await check()
            return Finding(name, .works, detail).impersonal(isImpersonal ? detail.english : nil)
        } catch {
            let error = (error as? DomainError) ?? DomainError(translating: error)
            return Finding(name, broken, error.sentence, advice: advice)
                .impersonal("\(error.code): \(error.sentence.impersonal)")
        }
    }
}
