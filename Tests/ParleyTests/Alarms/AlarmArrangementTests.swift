// SPDX-License-Identifier: MIT

import Domain
import DurableFiles
import Foundation
import TestKit
import Testing

@testable import parley

@Suite struct AlarmArrangementTests {
    private let folder: TemporaryFolder
    private let alarm = Alarm(kind: .alarm, due: Date(timeIntervalSince1970: 1_800_000_000.25))

    init() throws { folder = try TemporaryFolder() }

    private func arrangement(ring: [String] = ["/nonexistent"]) -> AlarmArrangement {
        AlarmArrangement(lockPath: folder.file("alarms.lock")) { ring }
    }

    @Test func `systemd starts it at the next whole second, and a backup later`() {
        let words = AlarmArrangement.timer(alarm, delay: 0, ring: ["/a b/parley", "$HOME", "50%"])
        #expect(words.contains("--on-calendar=@1800000001"))
        #expect(words.contains("--unit=parley-alarm-\(alarm.id)"))
        #expect(words.suffix(4) == ["--", "/a b/parley", "$$HOME", "50%"], "systemd-run replaces $ alone")
        #expect(AlarmArrangement.timer(alarm, delay: 5, ring: []).contains("--on-calendar=@1800000006"))
    }

    @Test func `a process listens while it holds its lock, and several may`() async throws {
        let arrangement = arrangement()
        #expect(await !arrangement.isListening())
        #expect(!FileManager.default.fileExists(atPath: arrangement.lockPath), "looking makes no file")
        let first = try #require(await arrangement.beginListening())
        let second = try #require(await arrangement.beginListening())
        #expect(await arrangement.isListening())
        first.release()
        #expect(await arrangement.isListening())
        second.release()
        #expect(await !arrangement.isListening())
    }

    @Test func `a folder that is missing is no listener`() async {
        let arrangement = AlarmArrangement(lockPath: "/nonexistent/alarms.lock") { [] }
        #expect(await arrangement.beginListening() == nil)
        #expect(await !arrangement.isListening())
    }

    @Test func `the variables that say where alarms are go with the command`() throws {
        let paths = try AppPaths(environment: ["PARLEY_HOME": "/a", "HOME": "/h"])
        let words = try AlarmArrangement(
            paths: paths, environment: ["PARLEY_HOME": "/a", "HOME": "/h", "OPENAI_API_KEY": "secret", "TZ": ""]
        ).ring()
        #expect(words.prefix(1) == ["/usr/bin/env"] && words.suffix(2) == ["timers", "ring"])
        #expect(words.contains("PARLEY_HOME=/a") && words.contains("HOME=/h"))
        #expect(!words.contains { $0.contains("secret") || $0.hasPrefix("TZ") })
    }

    @Test func `an alarm rings without the folder in which it was set`() throws {
        let environment = ["PARLEY_HOME": "a", "HOME": "/h"]
        let words = try AlarmArrangement(paths: AppPaths(environment: environment), environment: environment).ring()
        #expect(words.contains("PARLEY_HOME=\(FileManager.default.currentDirectoryPath)/a"), "\(words)")
        #expect(!words.contains { $0.hasPrefix("--chdir") }, "\(words)")
    }
}
