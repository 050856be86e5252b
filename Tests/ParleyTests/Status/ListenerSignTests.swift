// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import Foundation
import TestKit
import Testing

@testable import parley

/// The sign of the program that listens.
@Suite struct ListenerSignTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("listener") }

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [VoiceLoop.Phase.idle, .listening, .thinking, .speaking])
    func `a phase is read while the sign is held`(_ phase: VoiceLoop.Phase) throws {
        let sign = try #require(try ListenerSign(path: path))
        #expect(try ListenerSign.content(at: path) == .init(phase: .idle, wakeWords: 0))
        for event in [RoomEvent.wakeWord, .phase(.listening), .level(-30), .wakeWord, .phase(phase)] {
            try sign.note(event)
        }
        #expect(try ListenerSign.content(at: path) == .init(phase: phase, wakeWords: 2))
        #expect(try ListenerSign(path: path) == nil, "only one has it")
        withExtendedLifetime(sign) {}
    }

    @Test func `without a program nothing is believed`() throws {
        #expect(try ListenerSign.content(at: path) == nil)
        do {
            let sign = try #require(try ListenerSign(path: path))
            try sign.note(.phase(.speaking))
        }
        #expect(try ListenerSign.content(at: path) == nil)
    }

    @Test func `a program that looks keeps the sign from nobody`() throws {
        _ = try ListenerSign(path: path)
        let isOver = Guarded(false)
        let looking = DispatchGroup()
        for _ in 0..<2 {
            looking.enter()
            let isStarted = DetachedThread.start { [path] in
                while !isOver.withLock({ $0 }) { _ = try? ListenerSign.content(at: path) }
                looking.leave()
            }
            try #require(isStarted)
        }
        let missed = (0..<1_000).count { _ in (try? ListenerSign(path: path)) == nil }
        #expect(missed == 0)
        isOver.withLock { $0 = true }
        looking.wait()
    }

    @Test func `rubbish is no phase`() throws {
        let sign = try #require(try ListenerSign(path: path))
        try Data("\u{0}rubbish".utf8).write(to: URL(filePath: path), options: [])
        #expect(try ListenerSign.content(at: path) == nil)
        withExtendedLifetime(sign) {}
    }
}
