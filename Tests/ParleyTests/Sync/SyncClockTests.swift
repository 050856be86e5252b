// SPDX-License-Identifier: MIT

import CommandLineArguments
import Diagnostics
import Domain
import Foundation
import Security
import Sync
import TerminalKit
import TestKit
import Testing

@testable import parley

/// The word about a wrong clock in `parley sync now` and `parley doctor`, on a desk whose phone is three hours ahead.
@Suite(.timeLimit(.minutes(5))) struct SyncClockTests {
    private static let lead: Int64 = 3 * 3_600_000

    private let folder: TemporaryFolder
    /// The file that the commands write to.
    private let screen: FileHandle
    private let settings: SyncSettings
    private let desk: CompositionRoot
    private let phone: CompositionRoot

    init() throws {
        let folder = try TemporaryFolder()
        let screen = try #require(FileHandle(forWritingAtPath: try folder.write("", to: "screen")))
        let stream = OutputStream(descriptor: screen.fileDescriptor)
        func device(_ name: String) throws -> CompositionRoot {
            let home = try folder.folder(name)
            return CompositionRoot(
                paths: try AppPaths(environment: ["PARLEY_HOME": home, "HOME": home]), logger: .disabled,
                console: Console(
                    output: stream, errors: stream, isJSON: false,
                    traits: TerminalTraits(environment: [:], isTerminal: false)),
                environment: [:])
        }
        (self.folder, self.screen) = (folder, screen)
        (desk, phone) = (try device("desk"), try device("phone"))
        settings = SyncSettings(place: .folder(try folder.folder("place")), store: .file)
    }

    /// Runs a command on the desk.
    ///
    /// - Returns: The text that it shows.
    @discardableResult
    private func run<Line: Command>(_ command: Line.Type, _ words: String...) async throws -> String {
        let before = try folder.bytes("screen").count
        let command = try command.init(invocation(command.specification.path + words))
        #expect(try await command.run(in: desk, console: desk.console) == .done)
        return String(decoding: try folder.bytes("screen").dropFirst(before), as: UTF8.self)
    }

    /// Begins the group on the desk, and gives the phone something to have seen.
    private func setUp() async throws {
        guard case .folder(let place) = settings.place else { return }
        try await run(SettingsSetCommand.self, "wake-word", "hey desk")
        try await run(SyncSetupCommand.self, "--folder", place, "--name", "desk", "--store", "file")
    }

    /// Joins the phone by the recovery phrase and exchanges once, with its clock.
    private func joinPhone(lead: Int64) async throws -> DeviceID {
        let secrets = try await SecretStoreChoice(.file).open(in: desk)
        let words = try #require(try await secrets.value(for: CompositionRoot.syncSecret("recovery")))
        let phrase = try RecoveryPhrase(reading: words)
        return try await phone.withSyncDatabase { database in
            try await phone.withSyncTransport(settings) { place in
                let device = try await SyncDevice.recover(
                    with: phrase.secretKeys, at: place, in: database, keys: SecretKeys(), name: "phone")
                _ = try await device.sync(with: place, now: { OpenSync.now() + lead }, isWhole: true)
                return device.id
            }
        }
    }

    private func doctor() async throws -> Finding {
        for check in Checkup(app: desk, device: "null").checks {
            let finding = await check()
            if finding.name == "Sync" { return finding }
        }
        throw Missing()
    }

    @Test func `a device that is ahead is named, and doctor says what to do`() async throws {
        try await setUp()
        let id = try await joinPhone(lead: Self.lead)
        let text = try await run(SyncNowCommand.self)
        let warning = "The clock of device \(id) is 2 hours ahead of this machine's."
        #expect(text.contains("parley: \(warning)") && text.contains("Everything is exchanged."), "\(text)")
        #expect(text.contains("timedatectl set-ntp true"), "\(text)")
        let finding = try await doctor()
        #expect(finding.status == .limited && finding.detail.english.hasPrefix(warning), "\(finding)")
        #expect(finding.advice == "parley sync now looks again.")
    }

    @Test func `clocks that are right are not spoken of`() async throws {
        try await setUp()
        _ = try await joinPhone(lead: 0)
        let text = try await run(SyncNowCommand.self)
        #expect(text.contains("Everything is exchanged.") && !text.contains("clock"), "\(text)")
        let finding = try await doctor()
        #expect(finding.status == .works && !finding.detail.english.contains("clock"), "\(finding)")
    }
}

private struct Missing: Error {}

extension TemporaryFolder {
    /// The path of a new folder in it.
    fileprivate func folder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
        return file(name)
    }
}
