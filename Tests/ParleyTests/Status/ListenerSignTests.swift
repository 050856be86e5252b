// SPDX-License-Identifier: MIT

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
        #expect(try ListenerSign.phase(at: path) == .idle)
        try sign.show(.listening)
        try sign.show(phase)
        #expect(try ListenerSign.phase(at: path) == phase)
        #expect(try ListenerSign(path: path) == nil, "only one has it")
        withExtendedLifetime(sign) {}
    }

    @Test func `without a program nothing is believed`() throws {
        #expect(try ListenerSign.phase(at: path) == nil)
        do {
            let sign = try #require(try ListenerSign(path: path))
            try sign.show(.speaking)
        }
        #expect(try ListenerSign.phase(at: path) == nil)
    }

    @Test func `rubbish is no phase`() throws {
        let sign = try #require(try ListenerSign(path: path))
        try Data("\u{0}rubbish".utf8).write(to: URL(filePath: path), options: [])
        #expect(try ListenerSign.phase(at: path) == nil)
        withExtendedLifetime(sign) {}
    }
}
