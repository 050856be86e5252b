// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataSync
import Domain
import FoundationEssentials
import Sync
import TerminalKit

/// `parley sync now`: exchanges everything with the other devices.
struct SyncNowCommand: Command {
    static let specification = CommandSpecification(
        path: ["sync", "now"], summary: "Exchange everything with your other devices now",
        discussion: "Also while sync is paused: that stops parley service alone.")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let (report, status) = try await app.withSync { sync in
            (try await sync.exchange(isWhole: true), try await sync.device.status())
        }
        guard status.isMember != false else {
            throw DomainError.invalidInput("Another device removed this one. parley sync leave, and join again.")
        }
        for finding in report.findings { console.warn(finding.sentence) }
        let newer = report.newerCount + status.entriesOfNewerPrograms
        for text in status.obstacles(newer: newer) { console.warn(text) }
        if let clock = try await app.syncSummary().clockWarning { console.warn(clock.sentence) }
        if report.findings.isEmpty { console.progress("Everything is exchanged.") }
        if try app.syncSettings().isPaused { console.progress("Sync is still paused. parley sync resume goes on.") }
        try console.emit(SyncReportOutput(report, newer: newer))
        return .done
    }
}

/// `parley sync status`: shows the place, and what waits.
struct SyncStatusCommand: Command {
    static let specification = CommandSpecification(
        path: ["sync", "status"],
        summary: "Show where your devices meet, what waits to get there and since when, and the last exchange")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        guard let settings = try SyncSettings.load(from: app.paths.syncSettings) else {
            console.progress("Sync is not set up here. parley sync setup begins.")
            try console.emit(SyncStatusOutput())
            return .done
        }
        let state = SyncState(settings, try await app.syncSummary())
        let (status, devices) = try await app.withSyncDevice { (try await $0.status(), try await $0.devices()) }
        let count = devices.count { $0.isActive }
        let place = settings.place.sentence
        try console.tell(
            Sentence(
                one: "\(count) device meets at \(place).", other: "\(count) devices meet at \(place).", count: count))
        for line in state.lines { try console.tell(line) }
        switch status.isMember {
        case true: break
        case false: console.warn("Another device removed this one. parley sync leave, and join again.")
        default: console.warn("No other device has added this one yet.")
        }
        for text in status.obstacles(newer: status.entriesOfNewerPrograms) { console.warn(text) }
        try console.emit(
            SyncStatusOutput(
                isSetUp: true, state: state, devices: count, isMember: status.isMember,
                withoutKey: status.entriesWithoutKey, newer: status.entriesOfNewerPrograms))
        return .done
    }
}

/// `parley sync devices`: lists the devices.
struct SyncDevicesCommand: Command {
    static let specification = CommandSpecification(
        path: ["sync", "devices"], summary: "List your devices, those that were removed included")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        for device in try await app.withSyncDevice({ try await $0.devices() }) {
            let marks = [
                device.isThisDevice ? "this one" as Sentence : nil, device.isActive ? nil : "removed" as Sentence,
            ].compactMap(\.self)
            try console.show(
                "\(console.styled(device.name?.printable ?? "?", .strong))  \(device.id)"
                    + (marks.isEmpty ? "" : "  (\(console.text(marks.listed)))"))
            try console.emit(SyncDeviceOutput(device))
        }
        return .done
    }
}

/// `parley sync revoke`: removes a device.
struct SyncRevokeCommand: Command {
    private static let device = Positional<String>("DEVICE", help: "Its name, or the beginning of its id")
    private static let isSure = Flag("yes", help: "Do not ask")
    static let specification = CommandSpecification(
        path: ["sync", "revoke"], summary: "Remove a device: it can read nothing that is written from now on",
        discussion:
            "It keeps what it has read. Exchange first where you can: what it wrote and nobody has seen is lost.",
        positionals: [device], options: [isSure])

    private let text: String
    private let isSure: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        (text, isSure) = (invocation[Self.device], invocation.has(Self.isSure))
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let name = try await app.withSync { sync -> String? in
            let device = try await device(of: sync)
            let name = (device.name ?? "\(device.id)").printable
            guard
                try await console.confirmsDeletion(
                    of: "\(name) from your devices" as Sentence, summary: "\(name) from your devices" as Sentence,
                    isSure: isSure)
            else { return nil }
            // The removal names the last entry that counts, so everything that is at the place is read first.
            let report = try await sync.exchange(isWhole: true)
            for finding in report.findings { console.warn(finding.sentence) }
            try await sync.device.remove(device.id)
            _ = try await sync.exchange(isWhole: false)
            return name
        }
        guard let name else { return .done }
        console.progress("\(name) is removed. What is written from now on is sealed with a key that it does not have.")
        try console.emit(["removed": name])
        return .done
    }

    private func device(of sync: OpenSync) async throws -> SyncDeviceSummary {
        let devices = try await sync.device.devices().filter { $0.isActive && !$0.isThisDevice }
        let named = devices.filter { $0.name == text }
        let found = named.isEmpty ? devices.filter { "\($0.id)".hasPrefix(text.lowercased()) } : named
        guard let device = found.first, found.count == 1 else {
            throw DomainError.invalidInput(
                found.isEmpty
                    ? "No other device is called \"\(text.printable)\". parley sync devices lists them."
                    : "Several devices are called \"\(text.printable)\". Give the beginning of an id.")
        }
        return device
    }
}

extension SyncStatus {
    /// The reasons why this device does not see everything at the place, with what to do.
    ///
    /// - Parameter newer: The number of entries and objects that a newer program wrote.
    func obstacles(newer: Int) -> [Sentence] {
        var texts: [Sentence] = []
        if newer > 0 {
            texts.append(
                Sentence(
                    one: "\(newer) change is of a newer Parley. It is kept; update this one to see it.",
                    other: "\(newer) changes are of a newer Parley. They are kept; update this one to see them.",
                    count: newer))
        }
        if objectsWithoutRecord > 0 {
            texts.append(
                "A record of your devices is not at the place, or not yet, so not everything can be read. "
                    + "parley sync now on a device that has everything puts it back.")
        }
        return texts
    }
}

extension SyncFinding {
    /// The finding for a person, with what to do.
    var sentence: Sentence {
        let object = subject
        let subject: Sentence = device.map { "\(object) of device \($0)" } ?? "\(object)"
        return switch kind {
        case .missing: "\(subject) are not at the place, or not yet. Other devices have seen them."
        case .rolledBack: "The place was set back: \(subject). What this device has goes there again."
        case .forked:
            "\(device.map { "Device \($0)" } ?? "A device") wrote two histories: its keys are in use twice. Remove it, and "
                + "let it join anew."
        case .forged:
            "\(subject) at the place was not written by your devices and is not believed. Remove it from there, and see who "
                + "can write there."
        case .misnamed:
            "\(subject) at the place has another object's content and is not believed. Remove it from there."
        }
    }
}

/// An exchange in JSON.
struct SyncReportOutput: Encodable {
    let read: Int
    let written: Int
    let newer: Int
    let findings: [String]

    init(_ report: ExchangeReport, newer: Int? = nil) {
        (read, written, self.newer) = (report.readCount, report.writtenCount, newer ?? report.newerCount)
        findings = report.findings.map { "\($0)" }
    }
}

private struct SyncStatusOutput: Encodable {
    var isSetUp = false
    var state: SyncState?
    var devices: Int?
    var isMember: Bool?
    var withoutKey: Int?
    var newer: Int?

    private enum CodingKeys: String, CodingKey { case isSetUp, devices, isMember, withoutKey, newer }

    func encode(to encoder: any Encoder) throws {
        try state?.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isSetUp, forKey: .isSetUp)
        try container.encodeIfPresent(devices, forKey: .devices)
        try container.encodeIfPresent(isMember, forKey: .isMember)
        try container.encodeIfPresent(withoutKey, forKey: .withoutKey)
        try container.encodeIfPresent(newer, forKey: .newer)
    }
}

private struct SyncDeviceOutput: Encodable {
    let id: String
    let name: String?
    let isActive: Bool
    let isThisDevice: Bool

    init(_ device: SyncDeviceSummary) {
        (id, name, isActive, isThisDevice) = ("\(device.id)", device.name, device.isActive, device.isThisDevice)
    }
}
