// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import DataVoice
import Domain
import FoundationEssentials
import TerminalKit

/// `parley recordings list`: shows the recordings.
struct RecordingsListCommand: Command {
    private static let limit = ValueOption<Int>(
        "limit", short: "n", placeholder: "COUNT", help: "At most so many (1 to 100000, default 40)", in: 1...100_000)
    static let specification = CommandSpecification(
        path: ["recordings", "list"],
        summary: "List the recordings that were kept, the newest first, and those that were not finished",
        discussion: """
            What a crash left is at the end. It can be played, exported and deleted like the others, and kept by parley
            recordings recover. What is over the limit of parley recordings limit is deleted first.
            """,
        options: [
            limit,
            AccountOptions.server,
        ])

    private let limit: Int
    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        limit = invocation[Self.limit] ?? 40
        account = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account, isOffline: true) { practice in
            try await app.applyRecordingLimit(practice)
            let recordings = try await practice.storage.index.all(limit: limit)
            var unfinished: [UnfinishedRecording] = []
            // Those that are kept need no key.
            do { unfinished = try await practice.storage.recordings.unfinished() } catch
                where !(error is CancellationError)
            {
                console.warn("Recordings that were not finished cannot be read: \(Sentence(error))")
            }
            try await practice.session.offerUnowned(console)
            if recordings.isEmpty, unfinished.isEmpty {
                console.progress("Nothing was recorded yet. Try: parley practice")
            }
            for recording in recordings {
                let cue = try await practice.storage.cues.cue(recording.cue)
                let isWaiting = try await practice.session.account?.queue.isWaiting(for: recording.id) ?? false
                let isHeld = try await practice.session.account?.queue.isHeld(recording.id) ?? false
                let waits: Sentence? = isHeld ? "(held back)" : isWaiting ? "(not sent yet)" : nil
                try console.show(
                    console.styled(
                        "\(recording.id.short)  \(recording.createdAt.formatted(.iso8601))  "
                            + "\(Duration.seconds(recording.duration).clock)  \(recording.format.rawValue)  ", .muted)
                        + (cue?.text ?? "").printable
                        + console.styled(waits.map { "  " + console.text($0) } ?? "", .warning))
                let isSent = practice.session.account != nil && waits == nil
                try console.emit(RecordingOutput(recording, text: cue?.text, isSent: isSent))
            }
            for recording in unfinished { try await show(recording, practice, console) }
            if !unfinished.isEmpty { console.progress("Keep what was not finished: parley recordings recover NAME.") }
        }
        return .done
    }

    private func show(_ recording: UnfinishedRecording, _ practice: Practice, _ console: Console) async throws {
        var text: String?
        if let cue = recording.cue { text = try await practice.storage.cues.cue(cue)?.text }
        try console.show(
            console.styled(
                "\(recording.id.short)  \(recording.createdAt.formatted(.iso8601))  "
                    + "\(Duration.seconds(recording.duration).clock)  \(recording.format.rawValue)  ", .muted)
                + (text ?? "").printable + console.styled("  " + console.text("(not finished)"), .warning))
        try console.emit(UnfinishedOutput(recording, text: text))
    }
}

/// `parley recordings play`: plays a recording.
struct RecordingsPlayCommand: Command {
    private static let output = AudioRoute.output("Play into this WAV file")
    static let specification = CommandSpecification(
        path: ["recordings", "play"],
        summary: "Play a recording",
        positionals: [RecordingsCommands.name],
        options: [
            AudioRoute.device,
            output,
            AccountOptions.server,
        ])

    private let name: NamePrefix
    private let route: AudioRoute
    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        name = invocation[RecordingsCommands.name]
        route = try AudioRoute(invocation, output: Self.output)
        account = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account, isOffline: true) { practice in
            let sound = try await practice.storage.sound(name)
            let status = StatusLine(console: console)
            defer { status.clear() }
            try await app.recordingPlayer(practice.storage, route: route).play(sound.id) { position in
                let text: Sentence = "playing \(Duration.seconds(position).clock) of \(sound.duration.clock)"
                status.show(console.text(text))
            }
        }
        return .done
    }
}

/// `parley recordings export`: writes a recording as a plain file.
struct RecordingsExportCommand: Command {
    private static let overwrite = Flag("overwrite", help: "Replace FILE if it exists")
    private static let file = Positional<String>("FILE", help: "Where to: .flac, .opus, .wav", completion: .files)
    static let specification = CommandSpecification(
        path: ["recordings", "export"],
        summary: "Write a recording into a plain file, as it was encoded, or as .wav",
        positionals: [RecordingsCommands.name, file],
        options: [overwrite, AccountOptions.server])

    private let name: NamePrefix
    private let file: String
    private let replacesFile: Bool
    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        name = invocation[RecordingsCommands.name]
        file = invocation[Self.file]
        try AudioRoute.checkEnding(of: file, for: invocation.command)
        replacesFile = invocation.has(Self.overwrite)
        account = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account, isOffline: true) { practice in
            let sound = try await practice.storage.sound(name)
            guard replacesFile || !FileManager.default.fileExists(atPath: file) else {
                throw DomainError.file("\(file.printable) already exists. Choose another file, or add --overwrite.")
            }
            guard FileManager.default.fileExists(atPath: URL(filePath: file).deletingLastPathComponent().path) else {
                throw DomainError.file("The folder of \(file.printable) does not exist. Make it first.")
            }
            try await app.export(sound.id, from: practice.storage, to: file, replacing: replacesFile)
            try console.tell("\(sound.duration.clock) are in \(file.printable). It is not encrypted.")
            try console.emit(["file": file, "recording": sound.id.description])
        }
        return .done
    }
}

/// `parley recordings delete`: deletes recordings, here and at the server.
struct RecordingsDeleteCommand: Command {
    private static let name = NamePrefix.several(from: "parley recordings list")
    static let specification = CommandSpecification(
        path: ["recordings", "delete"],
        summary: "Delete recordings, here and at the server; their results stay",
        positionals: [name],
        options: [AccountOptions.server])

    private let names: [NamePrefix]
    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        names = invocation[Self.name]
        account = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account, isOffline: true) { practice in
            // All ids are checked first, so that an invalid one deletes nothing.
            var sounds: [NamedSound] = []
            for name in names { sounds.append(try await practice.storage.sound(name)) }
            for sound in sounds {
                if sound.isFinished {
                    _ = try await practice.storage.recordings.delete(sound.id)
                } else {
                    _ = try await practice.storage.recordings.deleteUnfinished(sound.id)
                }
                try console.tell("Deleted \(sound.id.short).")
                try console.emit(["deleted": sound.id.description])
            }
        }
        return .done
    }
}

enum RecordingsCommands {
    static let name = NamePrefix.one(from: "parley recordings list")
}

private struct UnfinishedOutput: Encodable {
    let id: String
    let cue: String?
    let text: String?
    let createdAt: String
    let seconds: Double
    let format: String
    let sampleRate: Int
    let bytes: Int
    let isFinished = false

    init(_ recording: UnfinishedRecording, text: String?) {
        id = recording.id.description
        cue = recording.cue?.description
        self.text = text
        createdAt = recording.createdAt.formatted(.iso8601)
        seconds = recording.duration
        format = recording.format.rawValue
        sampleRate = recording.sampleRate
        bytes = recording.byteCount
    }

    private enum CodingKeys: String, CodingKey {
        case id, cue, text, createdAt, seconds, format, sampleRate, bytes, isFinished
    }
}

private struct RecordingOutput: Encodable {
    let id: String
    let cue: String
    let text: String?
    let createdAt: String
    let seconds: Double
    let format: String
    let sampleRate: Int
    let bytes: Int
    let sha256: String
    let isSent: Bool

    init(_ recording: Recording, text: String?, isSent: Bool) {
        id = recording.id.description
        cue = recording.cue.description
        self.text = text
        createdAt = recording.createdAt.formatted(.iso8601)
        seconds = recording.duration
        format = recording.format.rawValue
        sampleRate = recording.sampleRate
        bytes = recording.byteCount
        sha256 = recording.contentHash
        self.isSent = isSent
    }
}
