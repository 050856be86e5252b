// SPDX-License-Identifier: MIT

import Concurrency
import CrashReports
import DataLayer
import Diagnostics
import Domain
import FoundationEssentials
import Glibc
import ProductVersion

/// The contents of the archive for support. Each part is made of what the program counts, measures or names itself: no text of the
/// person gets in, rather than being taken out.
struct SupportBundle: Sendable {
    /// A file of the archive.
    struct Part: Sendable {
        let name: String
        /// One sentence that says what the file holds.
        let about: Sentence
        let bytes: [UInt8]
    }

    let app: CompositionRoot
    let now: Date
    /// The words of a sentence in the person's language.
    let words: @Sendable (Sentence) -> String

    /// The files, the one that explains the others first. A part that cannot be made says why in its place.
    func parts() async throws -> [Part] {
        var parts = [
            try await part("version.json", "The program's version and build, and the system." as Sentence) {
                try json(Version(now))
            },
            try await part("doctor.json", "What parley doctor found, without paths, names and addresses." as Sentence) {
                try json(await Checkup(app: app, device: "default").findings().map(Check.init))
            },
            try await part(
                "settings.json", "Which settings are stored; values only of those that are no free text." as Sentence
            ) {
                try json(await settings())
            },
            try await part("files.json", "Sizes, permissions and versions of the files of parley." as Sentence) {
                try json(await HomeInventory.entries(app.paths))
            },
            try await part(
                "statistics.json", "How many questions there were, how they ended and how long they took." as Sentence
            ) {
                try json(await statistics())
            },
            try await part("log.jsonl", "What the programs logged: no word of yours, no name, no key." as Sentence) {
                var reader = LogFileReader(app.paths.log)
                return Array(try reader.next().map { withoutPlaces($0.redactedJSON) + "\n" }.joined().utf8)
            },
        ]
        for id in (try? app.crashes.list()) ?? [] {
            parts.append(
                try await part("crashes/\(id).txt", "Where the program crashed: functions and log lines." as Sentence) {
                    let report = try app.crashes.report(id)
                    let frames = await BlockingCall.run { CrashSymboliser().frames(of: report) }
                    return Array(withoutPlaces(report.text(frames)).utf8)
                })
        }
        return [readMe(parts)] + parts
    }

    /// The archive of the files (ZIP).
    static func archive(of parts: [Part], madeAt now: Date) -> [UInt8] {
        var archive = ZIPArchive(modifiedAt: now)
        for part in parts { archive.add("parley-diagnostics/" + part.name, part.bytes) }
        return archive.bytes
    }

    private func readMe(_ parts: [Part]) -> Part {
        let start: Sentence =
            "This archive helps to find a fault of parley. It was made on the device that it is about, and sent nowhere."
        let warning: Sentence =
            "It holds nothing that was said or typed, and no secret. Each file is text: look into it before you hand it on."
        let lines = parts.flatMap { ["", $0.name, "  " + words($0.about)] }
        return Part(
            name: "README.txt", about: "What each file is." as Sentence,
            bytes: Array(([words(start), words(warning)] + lines + [""]).joined(separator: "\n").utf8))
    }

    private func part(_ name: String, _ about: Sentence, _ make: () async throws -> [UInt8]) async throws -> Part {
        do {
            return Part(name: name, about: about, bytes: try await make())
        } catch let error as CancellationError {
            throw error
        } catch {
            // The reason without its values: they may be paths.
            let report = ErrorReport(error)
            let reason = LeftOut(code: report?.code ?? "", reason: report?.sentence.impersonal ?? "")
            return Part(name: name, about: about, bytes: try json(["leftOut": reason]))
        }
    }

    private func settings() async throws -> [StoredSetting] {
        guard try await !app.settingsAreLocked() else { throw Self.sealed }
        let stored = try await app.readSettings { try $0.settings() } ?? [:]
        return Setting.all.map { setting in
            let value = try? SettingValue(of: setting, environment: app.environment, stored: stored)
            return StoredSetting(setting, value)
        }
    }

    private func statistics() async throws -> Counts {
        guard try await !app.sealedData.isLocked() else { throw Self.sealed }
        let window = TurnMeasurement.window(at: now)
        let turns = try await app.conversations().turns(in: window)
        let since = CalendarDate(localDayOf: window.lowerBound)
        let output = StatisticsOutput(Statistics(turns) { CalendarDate(localDayOf: $0) }, since: since)
        return Counts(
            since: output.since, questions: output.questions, spoken: output.spoken, interrupted: output.interrupted,
            outcomes: output.outcomes, latencies: output.latencies)
    }

    private static var sealed: DomainError { .storage("The app lock seals it.") }

    /// The text without the folders of parley and of the person, in which the person's name may be.
    private func withoutPlaces(_ text: String) -> String {
        let places = [
            (app.paths.data, "DATA"), (app.paths.configuration, "CONFIG"), (app.environment["HOME"] ?? "", "~"),
            (AppPaths.homeOfUser() ?? "", "~"),
        ]
        return places.reduce(text) { $1.0.count > 1 ? $0.replacing($1.0, with: $1.1) : $0 }
    }

    private func json(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
    }

    private struct LeftOut: Encodable {
        let code, reason: String
    }

    private struct Version: Encodable {
        let program = "parley"
        let version = ProductVersion.current
        let buildID = ProgramImage.buildID
        let architecture, kernel: String
        let system: String?
        let time: String

        init(_ now: Date) {
            var name = utsname()
            uname(&name)
            architecture = withUnsafeBytes(of: name.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            kernel = withUnsafeBytes(of: name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            let lines = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8))?.split(separator: "\n")
            system = lines?.first { $0.hasPrefix("PRETTY_NAME=") }.map { $0.dropFirst(12).filter { $0 != "\"" } }
            time = now.formatted(.iso8601)
        }
    }

    private struct Check: Encodable {
        let check: String
        let status: Finding.Status
        let detail: String?

        init(_ finding: Finding) {
            (check, status, detail) = (finding.impersonal.name, finding.status, finding.impersonal.detail)
        }
    }

    private struct StoredSetting: Encodable {
        let name, origin: String
        let value: String?

        /// A text or an address is the person's own, and left out.
        init(_ setting: Setting, _ value: SettingValue?) {
            name = setting.name
            origin = value?.origin.rawValue ?? SettingValue.Origin.invalid.rawValue
            self.value = [.text, .address].contains(setting.type) ? nil : value?.text
        }
    }

    private struct Counts: Encodable {
        let since: String
        let questions, spoken, interrupted: Int
        let outcomes: [StatisticsOutput.Outcome]
        let latencies: [StatisticsOutput.Latency]
    }
}

extension Sentence {
    /// The sentence with a placeholder in place of each value that is no sentence itself.
    var impersonal: String {
        values.enumerated().reduce(pattern) { text, value in
            guard case .sentence(let part) = value.element else { return text }
            return text.replacing("{\(Self.placeholder(value.offset))}", with: part.impersonal)
        }
    }
}
