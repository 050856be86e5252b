// SPDX-License-Identifier: MIT

import AudioKitLinuxTestSupport
import Foundation
import TestKit
import Testing

/// The first steps at the terminal.
@Suite(.timeLimit(.minutes(10))) struct SetupTests {
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    private func terminal(_ words: String...) throws -> TerminalRun {
        try TerminalRun(
            [ParleyProcess.executable] + words,
            environment: parley.environment.merging(["LANG": "C.UTF-8", "NO_COLOR": "1"]) { $1 })
    }

    @Test func `a new home is greeted; what does not work says why, and can be skipped`() async throws {
        try Data("pcm.!default { type hw card 99 }\nctl.!default { type hw card 99 }\n".utf8)
            .write(to: URL(filePath: parley.path(".asoundrc")))
        let help = try terminal()
        try await help.shows("Welcome to parley.")
        try help.type("h\n")
        try await help.shows("Ask and talk")
        #expect(await help.code() == 0, "\(help.text)")

        let steps = try terminal()
        try await steps.shows("Welcome to parley.")
        try steps.type("\n")
        for title in ["1. Microphone", "2. Loudspeaker", "3. Voice"] {
            try await steps.shows(title)
            try await steps.shows("Enter tries it")
            try steps.type("\n")
            try await steps.shows("parley:")
            // The same step again.
            try await steps.shows(title)
            try await steps.shows("Enter tries it")
            try steps.type("s\n")
        }
        try await steps.shows("4. Assistant")
        try await steps.shows("Enter tries it")
        try steps.type("\n")
        try await steps.shows("Austin")
        try await steps.shows("Is this an answer?")
        try steps.type("y\n")
        try await steps.shows("5. Consent")
        try await steps.shows("Enter tries it")
        try steps.type("\n")
        try await steps.shows("nobody is signed in")
        for line in ["1. Microphone  skipped", "3. Voice  skipped", "4. Assistant  ✓ works"] {
            try await steps.shows(line)
        }
        #expect(await steps.code() == 0, "\(steps.text)")
        // Nobody is asked without a terminal.
        #expect(try await parley.run("setup").code == 2)
        #expect(try await parley.run().output.contains("Ask and talk"))
    }

    @Test(.enabled(if: PulseDaemon.isInstalled, "pulseaudio is not installed: Scripts/bootstrap test"))
    func `with a microphone and a loudspeaker each step works`() async throws {
        let sounds = SoundFixtures(folder: parley.folder)
        let shape = ["-r", "\(FileMicrophone.sampleRate)", "-c", "1", "-b", "16", "-e", "signed-integer", "-t", "raw"]
        let second = Data(count: 2 * FileMicrophone.sampleRate)
        let spoken = try Data(
            contentsOf: URL(
                filePath: sounds.converted(sounds.speech("What is the capital of Texas?"), shape, to: "question.raw")))
        let path = try sounds.file("microphone.raw", second + spoken + second + second)
        let sound = try await FileMicrophone(hearing: path, home: parley.folder)
        let devices = try FileHandle(forWritingTo: URL(filePath: parley.path(".asoundrc")))
        try devices.seekToEnd()
        try devices.write(contentsOf: Data("pcm.!default { type plug slave.pcm \"\(FileMicrophone.device)\" }\n".utf8))
        try devices.close()

        let steps = try terminal("setup")
        try await steps.shows("1. Microphone")
        try await steps.shows("Enter tries it")
        try steps.type("\n")
        try await steps.shows("2. Loudspeaker")
        try await steps.shows("Enter tries it")
        try steps.type("\n")
        try await steps.shows("Did you hear it?")
        #expect(try sound.heard().contains { $0 != 0 })
        try steps.type("y\n")
        try await steps.shows("3. Voice")
        try await steps.shows("Enter tries it")
        try steps.type("\n")
        try await steps.shows("Austin")
        try await steps.shows("4. Assistant")
        try await steps.shows("Enter tries it")
        try steps.type("q\n")
        for line in ["1. Microphone  ✓ works", "2. Loudspeaker  ✓ works", "3. Voice  ✓ works"] {
            try await steps.shows(line)
        }
        #expect(await steps.code() == 0, "\(steps.text)")
    }
}
