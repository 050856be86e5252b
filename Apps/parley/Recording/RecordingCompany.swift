// SPDX-License-Identifier: MIT

import AudioKitLinux
import CommandLineArguments
import Concurrency
import DesktopNotifications
import Domain
import StructuredJSON
import TerminalKit

/// Pauses other players during a recording, and the recording itself when the machine sleeps or its microphone
/// disappears.
struct RecordingCompany: Sendable {
    /// The option of every command that records.
    static let keepPlaying = Flag("keep-playing", help: "Let other players play while something is recorded")

    let app: CompositionRoot
    let console: Console
    let status: StatusLine?
    let keepsPlaying: Bool

    /// Runs a recording whose transport the sleep of the machine controls. Without a person at a terminal it resumes by
    /// itself after sleep.
    func run<Value: Sendable>(
        _ control: TransportControl, recording route: AudioRoute, _ body: () async throws -> Value
    ) async throws -> Value {
        let isAsked = InputStream().isTerminal
        let watching = isAsked && route.input == nil && route.device == "default" ? watch(control) : nil
        defer { watching?.cancel() }
        return try await run { isAboutToSleep in
            switch (isAboutToSleep, isAsked) {
            case (true, _): control.pause()
            case (false, true):
                say("The machine slept, and the recording rests. Enter goes on, Ctrl-D ends.")
            case (false, false): control.resume()
            }
        } body: {
            try await body()
        }
    }

    /// Runs a recording while other players are paused.
    ///
    /// - Parameter sleep: Called with true before the machine sleeps, which waits for the return, and with false after
    ///   it has woken up.
    func run<Value: Sendable>(
        sleep: @escaping @Sendable (Bool) async -> Void, body: () async throws -> Value
    ) async throws -> Value {
        let players = MediaPlayers()
        if !keepsPlaying, !settingKeepsPlaying { await players.pausePlaying() }
        let events = await SleepWatch().events()
        let watching = Task { await events.forEach(sleep) }
        return try await withCleanup(body) {
            watching.cancel()
            // Also after a failure and after Ctrl-C: no other code knows which players were playing.
            await players.resumePaused()
        }
    }

    /// Checks once a second for another default microphone. A stream stays with its first microphone.
    private func watch(_ control: TransportControl) -> Task<Void, Never> {
        Task.detached {
            var known = AudioDevices.defaultMicrophone()
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                guard let now = AudioDevices.defaultMicrophone(), now != known else { continue }
                if known != nil {
                    control.replaceDevice(AudioError(.deviceChanged, "The default microphone is now \(now)."))
                }
                known = now
            }
        }
    }

    /// The microphone to continue with after one has disappeared; nil without a terminal to ask at.
    ///
    /// - Parameter device: The name of the microphone that has disappeared.
    func replacement(for device: String, after error: AudioError) -> (device: AudioDevice, name: String)? {
        guard InputStream().isTerminal else { return nil }
        if error.code == .deviceChanged { return (.default, "it") }
        let others = (try? AudioDevices.list())?.filter { $0.directions.contains(.capture) } ?? []
        let other = others.first { $0.name != device } ?? others.first
        return (other?.device ?? .default, other?.description ?? "the default microphone")
    }

    /// The same, with a message to a person who records with Enter and Ctrl-D.
    func askedReplacement(for device: String, after error: AudioError) -> AudioDevice? {
        guard let next = replacement(for: device, after: error) else { return nil }
        say("\(Sentence(error)) What was recorded is kept. Enter goes on with \(next.name.printable), Ctrl-D ends.")
        return next.device
    }

    /// The setting; one that cannot be read costs a warning, never the recording.
    private var settingKeepsPlaying: Bool {
        do {
            return try RecordingSettings(app.paths).keepsPlaying()
        } catch {
            say(Sentence(error))
            return false
        }
    }

    private func say(_ sentence: Sentence) {
        status?.clear()
        console.warn(sentence)
    }
}

/// Settings of every recording: `settings.json` in the configuration folder, such as `{"keepPlaying": true}`.
private struct RecordingSettings {
    private let file: SettingsFile

    init(_ paths: AppPaths) {
        file = SettingsFile(path: paths.configuration + "/settings.json", remedy: "Correct it, or move it away.")
    }

    /// True if other players continue to play during a recording.
    func keepsPlaying() throws -> Bool {
        guard let value = try file.load()["keepPlaying"] else { return false }
        guard let keeps = value.bool else {
            throw file.damaged("keepPlaying: true or false was expected")
        }
        return keeps
    }
}

/// Maps Enter to pause, and the end of typed input to stop.
struct KeyboardTransport: Sendable {
    let control: TransportControl

    /// Runs `body` and watches the keyboard meanwhile. Piped input is not read: a script's other commands may need it.
    func run<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        let input = InputStream()
        guard input.isTerminal else { return try await body() }
        let watcher = Task {
            for await _ in input.lines() { control.togglePause() }
            control.stop()
        }
        defer { watcher.cancel() }
        return try await body()
    }
}

extension Duration {
    /// Minutes, seconds and tenths: 1:05.3.
    var clock: String {
        let tenths = Int((self / .milliseconds(100)).rounded(.down))
        let seconds = tenths / 10 % 60
        return "\(tenths / 600):\(seconds < 10 ? "0" : "")\(seconds).\(tenths % 10)"
    }
}
