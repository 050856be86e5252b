// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import DurableFiles
import FoundationEssentials
import Glibc
import TerminalKit

/// `parley context list`: shows which parts of the situation may be read.
struct ContextListCommand: Command {
    static let specification = CommandSpecification(
        path: ["context", "list"],
        summary: "List the parts of your situation that parley may read, and what each would add; nothing is read")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let text = ContextConsentText.lines.map { console.text($0) }
        try ContextOutput(try app.contextChoice(), text: text).write(to: console)
        return .done
    }
}

private enum ContextArguments {
    static let parts = Positional<[ContextPart]>(
        oneOrMore: "PART", help: "time, history, events, device, activity or location",
        completion: .choices(ContextPart.allCases.map(\.rawValue)),
        expected: "time, history, events, device, activity or location"
    ) { ContextPart(rawValue: $0) }
}

/// `parley context allow`: allows parts to be read.
struct ContextAllowCommand: Command {
    private static let calendar = ValueOption<[String]>(
        repeated: "calendar", placeholder: "FILE", help: "An .ics file, or a folder of them, for events",
        completion: .files)
    static let specification = CommandSpecification(
        path: ["context", "allow"],
        summary: "Allow parts of your situation to be read for questions to a model",
        discussion: """
            They are read on this device, with each question that the model of parley assistant gets: kept answers are then used
            only in a situation like that in which they were given. Nothing is sent before parley context share. activity
            and location ask services of the desktop: systemd and GeoClue.
            """,
        positionals: [ContextArguments.parts], options: [calendar])

    private let parts: [ContextPart]
    private let calendars: [String]

    init(_ invocation: Invocation) throws(UsageError) {
        (parts, calendars) = (invocation[ContextArguments.parts], invocation[Self.calendar] ?? [])
        guard calendars.isEmpty || parts.contains(.events) else {
            throw UsageError("--calendar goes with events.", command: invocation.command)
        }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let folder = FileManager.default.currentDirectoryPath
        let paths = calendars.map { $0.hasPrefix("/") ? $0 : folder + "/" + $0 }
        if let missing = paths.first(where: { !FileManager.default.isReadableFile(atPath: $0) }) {
            throw DomainError.file("\(missing.printable) cannot be read. Name an .ics file, or a folder of them.")
        }
        if let other = paths.first(where: { !Self.isCalendar($0) }) {
            throw DomainError.file("\(other.printable) is no calendar. Name an .ics file, or a folder of them.")
        }
        try app.changeContext { choice in
            for path in paths where !choice.calendars.contains(path) { choice.calendars.append(path) }
            guard choice.calendars.count <= ContextChoice.calendarLimit else {
                throw DomainError.invalidInput(
                    "parley reads at most \(ContextChoice.calendarLimit) calendars. Put them into one folder.")
            }
            guard !parts.contains(.events) || !choice.calendars.isEmpty else {
                throw DomainError.invalidInput("Name a calendar: parley context allow events --calendar FILE")
            }
            for part in parts {
                choice.allowed[part.rawValue] = choice.allowed[part.rawValue] ?? Date.now.formatted(.iso8601)
            }
        }
        try ContextOutput(try app.contextChoice()).write(to: console)
        return .done
    }
}

extension ContextAllowCommand {
    /// True for a folder, and for a file that begins with a component of a calendar (RFC 5545 §3.6).
    private static func isCalendar(_ path: String) -> Bool {
        var isFolder = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        if isFolder { return true }
        let start = try? OpenFile(path, O_RDONLY | O_NONBLOCK).bytes(at: 0, maximum: 4_096)
        return String(decoding: start ?? [], as: UTF8.self).uppercased().contains("BEGIN:V")
    }
}

/// `parley context deny`: forbids parts to be read.
struct ContextDenyCommand: Command {
    private static let everything = Flag("all", help: "Every part; also takes back the consent to send")
    private static let names = Positional<[String]>(
        any: "PART", help: "time, history, events, device, activity or location",
        completion: .choices(ContextPart.allCases.map(\.rawValue)))
    static let specification = CommandSpecification(
        path: ["context", "deny"], summary: "Read parts of your situation no more",
        discussion: "It holds from the next question on. Denying events forgets the calendars, too.",
        positionals: [names], options: [everything])

    private let parts: [ContextPart]
    private let isEverything: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        isEverything = invocation.has(Self.everything)
        let names = invocation[Self.names]
        parts = names.compactMap { ContextPart(rawValue: $0) }
        guard parts.count == names.count, parts.isEmpty == isEverything else {
            throw UsageError(
                "Name parts (time, history, events, device, activity or location), or --all.",
                command: invocation.command)
        }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        if isEverything {
            // A damaged file, too.
            try app.paths.makeConfigurationFolder()
            try ContextChoice().save(to: app.paths.context)
        } else {
            try app.changeContext { choice in
                for part in parts { choice.allowed[part.rawValue] = nil }
                if parts.contains(.events) { choice.calendars = [] }
            }
        }
        try ContextOutput(try app.contextChoice()).write(to: console)
        return .done
    }
}

/// `parley context show`: shows what would be added now.
struct ContextShowCommand: Command {
    static let specification = CommandSpecification(
        path: ["context", "show"],
        summary: "Show exactly what would be added to a question now",
        discussion: "It reads the parts that are allowed, as a question does, and sends nothing.")

    private struct Output: Encodable {
        let text: String?
        let parts: [String: String]
        let missing: [String: String]
        let notes: [String]
        let isSent: Bool
    }

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let choice = try app.contextChoice()
        let outcome = await GatherContext(
            app.contextSources(choice, isPatient: true), deadline: CompositionRoot.patience)()
        let readings = outcome.context.readings
        let notes = readings.flatMap { reading -> [String] in
            if case .events(let upcoming) = reading { upcoming.gaps } else { [] }
        }
        if choice.parts.isEmpty {
            console.progress("Nothing is added. parley context list says what could be.")
        }
        if let text = outcome.context.text { try console.show(text.printableLines) }
        for (part, error) in outcome.failures.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            console.progress("\(part.rawValue) is missing: \(Sentence(error))")
        }
        for note in notes { console.progress(verbatim: note.printable) }
        if !readings.isEmpty {
            console.progress(
                choice.isSent
                    ? "It is sent to the model in use. parley context withhold ends that."
                    : "It is not sent to a model, and compares situations on this device. parley context share sends it."
            )
        }
        try console.emit(
            Output(
                text: outcome.context.text,
                parts: Dictionary(uniqueKeysWithValues: readings.map { ($0.part.rawValue, $0.line) }),
                missing: Dictionary(
                    uniqueKeysWithValues: outcome.failures.map { ($0.key.rawValue, $0.value.message) }),
                notes: notes, isSent: choice.isSent))
        return .done
    }
}

/// `parley context share`: gives the consent to send.
struct ContextShareCommand: Command {
    static let specification = CommandSpecification(
        path: ["context", "share"], summary: "Agree that what is allowed is sent to the model in use",
        discussion: "Shows what is sent, where, what for, for how long, and how to take it back; stores the date.")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        for line in ContextConsentText.lines { try console.show(console.text(line)) }
        try app.changeContext { choice in
            choice.sent = .init(
                decidedAt: Date.now.formatted(.iso8601), textVersion: ContextChoice.Consent.currentVersion)
        }
        try console.show(console.text("It is sent from the next question on."))
        try console.emit(ContextOutput(try app.contextChoice()))
        return .done
    }
}

/// `parley context withhold`: takes the consent to send back.
struct ContextWithholdCommand: Command {
    static let specification = CommandSpecification(
        path: ["context", "withhold"], summary: "Send nothing of your situation to a model any more",
        discussion: "What is allowed is still read on this device. To end that, too: parley context deny --all")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try app.changeContext { $0.sent = nil }
        try console.show(console.text("Nothing of your situation is sent any more."))
        try console.emit(ContextOutput(try app.contextChoice()))
        return .done
    }
}

/// The choice, as text or as JSON.
private struct ContextOutput: Encodable {
    private struct Part: Encodable {
        let isAllowed: Bool
        let since: String?
        let adds: String
    }

    private let parts: [String: Part]
    private let calendars: [String]
    private let isSent: Bool
    private let sentSince: String?
    /// The text that the consent to send is about; nil where it was not asked for.
    private let text: [String]?

    init(_ choice: ContextChoice, text: [String]? = nil) {
        self.text = text
        parts = Dictionary(
            uniqueKeysWithValues: ContextPart.allCases.map { part in
                let since = choice.allowed[part.rawValue]
                return (part.rawValue, Part(isAllowed: since != nil, since: since, adds: part.words.english))
            })
        (calendars, isSent) = (choice.calendars, choice.isSent)
        sentSince = choice.isSent ? choice.sent?.decidedAt : nil
    }

    func write(to console: Console) throws {
        let words = ["on" as Sentence, "off" as Sentence].map(console.text)
        let width = words.map(\.columns).max() ?? 0
        let (on, off) = (words[0].padded(to: width), words[1].padded(to: width))
        for part in ContextPart.allCases {
            let isOn = parts[part.rawValue]?.isAllowed == true
            let name = part.rawValue.padded(to: 8)
            try console.show(
                "\(console.styled(isOn ? on : off, isOn ? .success : .muted))  \(console.styled(name, .strong))  "
                    + console.text(part.words))
        }
        for calendar in calendars { try console.show("\(console.text("calendar"))  \(calendar.printable)") }
        try console.show(
            console.text(isSent ? "It is sent to the model in use." : "Nothing of it is sent to a model."))
        try console.emit(self)
    }
}

extension String {
    /// The lines, each without what could drive a terminal.
    fileprivate var printableLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }.joined(separator: "\n")
    }
}
