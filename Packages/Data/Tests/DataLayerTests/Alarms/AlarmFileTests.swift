// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import TestKit
import Testing

@testable import DataLayer

@Suite(.timeLimit(.minutes(5))) struct AlarmFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("alarms.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private static func timer(label: String? = nil) -> Alarm {
        Alarm(kind: .timer(.seconds(1)), due: Date(timeIntervalSince1970: 1_800_000_000), label: label)
    }

    @Test(arguments: AlarmScheduleContract.checks)
    func `it keeps the contract`(_ check: ContractCheck<AlarmScheduleSubject>) async throws {
        let path = path
        let damaged = folder.file("damaged.sqlite")
        try Data("This is no database, and never was one.".utf8).write(to: URL(filePath: damaged))
        try await check.run(
            AlarmScheduleSubject(
                schedule: AlarmFile(path: path), again: { AlarmFile(path: path) },
                failing: ["storage": { AlarmFile(path: damaged) }]))
    }

    @Test func `reading a missing file makes none`() async throws {
        let file = AlarmFile(path: path)
        #expect(try await file.alarms().isEmpty)
        #expect(try await file.remove([]).isEmpty)
        #expect(try await file.export(to: InMemoryExportArchive()) == [:])
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `it is for its owner alone, and sees a file that was deleted or replaced`() async throws {
        let (reader, writer) = (AlarmFile(path: path), AlarmFile(path: path))
        try await writer.add(Self.timer())
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(try await reader.alarms().count == 1)
        try FileManager.default.removeItem(atPath: path)
        #expect(try await reader.alarms().isEmpty)
        try await writer.add(Self.timer(label: "other"))
        #expect(try await reader.alarms().map(\.label) == ["other"])
    }

    @Test func `a file that has not changed is not read again, and each change is seen`() async throws {
        let (reader, writer) = (AlarmFile(path: path), AlarmFile(path: path))
        for count in 1...5 {
            try await writer.add(Self.timer())
            // As after a while without a change.
            for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
                let past = Date(timeIntervalSinceNow: Double(-100 + count))
                try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: path + suffix)
            }
            #expect(try await reader.alarms().count == count)
            #expect(try await reader.alarms().count == count)
        }
    }

    @Test(arguments: PersonalDataSourceContract.checks)
    func `its export keeps the contract`(_ check: ContractCheck<PersonalDataSourceSubject>) async throws {
        let file = AlarmFile(path: path)
        for label in ["pasta \"al dente\"", "漢"] { try await file.add(Self.timer(label: label)) }
        try await check.run(
            PersonalDataSourceSubject(source: file, counts: ["alarms": 2], names: ["alarms.jsonl"]))
    }
}

/// A process that claims and is killed, or dies by itself.
@Suite(.timeLimit(.minutes(5))) struct AlarmFileProcessTests {
    @Test func `an alarm outlives the process that set it and was killed`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("alarms.sqlite")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            try await AlarmFile(path: path).add(
                Alarm(kind: .alarm, due: Date(timeIntervalSince1970: 1_800_000_000), label: "survivor"))
            kill(getpid(), SIGKILL)
        }
        #expect(try await AlarmFile(path: path).alarms().map(\.label) == ["survivor"])
    }
}
