// SPDX-License-Identifier: MIT

import Concurrency
import DBus
import DataAssistant
import DataLayer
import Diagnostics
import Domain
import DurableFiles
import FoundationEssentials
import Glibc
import TerminalKit

extension CompositionRoot {
    /// The parts of the person's situation that may be read; none without a choice.
    func contextChoice() throws -> ContextChoice { try ContextChoice.load(from: paths.context) ?? ContextChoice() }

    /// Changes the choice, one program after the other: what one has taken back must not return with another's change.
    func changeContext(_ change: (inout ContextChoice) throws -> Void) throws {
        try paths.makeConfigurationFolder()
        do {
            let lock = try OpenFile(paths.context + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW)
            try lock.lock()
            defer { lock.unlock() }
            var choice = try contextChoice()
            try change(&choice)
            try choice.save(to: paths.context)
        } catch let error as FileError {
            throw DomainError.file("\(paths.context.printable) cannot be locked: \(error.reason).")
        }
    }

    /// A source for each allowed part. None of them connects or reads before it is asked.
    ///
    /// - Parameter isPatient: True to wait for slow services; false for a question that waits for its answer.
    func contextSources(_ choice: ContextChoice, isPatient: Bool = false) -> [any ContextSource] {
        let deadline = isPatient ? DBusClient.deadline : .milliseconds(500)
        let zones = SystemTimeZones()
        let offset: ZoneSeconds = { zone, time in (try? zones.offset(in: zone, at: time))?.seconds }
        return choice.parts.map { part -> any ContextSource in
            switch part {
            case .time: ClockContextSource(offset: offset)
            case .history: HistoryContextSource { try await lastMessages() }
            case .events: CalendarContextSource(choice.calendars, offset: offset)
            case .device: DeviceContextSource()
            case .activity: ActivityContextSource(deadline: deadline)
            case .location: LocationContextSource(deadline: isPatient ? .seconds(10) : .seconds(2))
            }
        }
    }

    /// The longest wait for a situation that nobody waits for.
    static let patience = Duration.seconds(20)

    /// The person's situation for a question; nil while nothing is allowed. What cannot be read is left out.
    func contextSituation() async -> ContextualAssistant.Situation? {
        let choice: ContextChoice
        do { choice = try contextChoice() } catch {
            console.warn("Your situation is not read. \(Sentence(error))")
            return nil
        }
        guard !choice.parts.isEmpty else { return nil }
        let outcome = await GatherContext(contextSources(choice), deadline: .seconds(3))()
        for (part, error) in outcome.failures {
            logger.with(category: "context").debug(
                "\(part.rawValue, privacy: .public) is not known: \(error.code, privacy: .public)")
        }
        return .init(outcome.context, isShared: choice.isSent)
    }

    /// The situation for a conversation by voice, which begins with it; nil without the consent to send it, and for another
    /// server than that of the model in use.
    func spokenSituation(for settings: ModelSettings) async throws -> UserContext? {
        let choice = try contextChoice()
        guard choice.isSent, !choice.parts.isEmpty,
            try await assistants().current?.baseURL == settings.baseURL
        else { return nil }
        let context = await GatherContext(contextSources(choice), deadline: .seconds(3))().context
        return context.readings.isEmpty ? nil : context
    }

    /// The messages in which the last questions are.
    private func lastMessages() async throws -> [Message] {
        guard !AppPaths.isMissing(paths.conversations) else { return [] }
        let data = sealedData
        guard try await !data.isLocked() else {
            throw DomainError.storage("The history is locked, so its questions are not known.")
        }
        let store = try await data.conversations(damage: .refuse)
        return try await withCleanup {
            try await store.recentMessages(limit: 50)
        } cleanup: {
            await store.close()
        }
    }
}

/// The choice of `parley context`, for an export.
struct ContextChoiceExport: PersonalDataSource {
    let path: String

    /// Writes the file as it is. See `PersonalDataSource`.
    func export(to archive: any ExportArchive) async throws -> [String: Int] {
        let content: [UInt8]?
        do { content = try SmallFile.contents(of: path) } catch  where error.isMissing { return [:] } catch {
            throw DomainError.file("\(path) cannot be read: \(error.reason).")
        }
        guard let content, !content.isEmpty else { return [:] }
        try await archive.add("context.json", content)
        return ["contextChoices": 1]
    }
}
