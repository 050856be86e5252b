// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Ctrl-C at every stage of a spoken turn: what was acknowledged is stored, and no file is left broken.
@Suite struct InterruptionTests {
    private let parley: ParleyProcess
    private let sounds: SoundFixtures

    init() throws {
        parley = try ParleyProcess()
        sounds = SoundFixtures(folder: parley.folder)
    }

    @Test(arguments: ["start", "listening", "speechStarted", "transcript", "answer", "firstSampleAudible"])
    func ctrlCLosesNothing(at stage: String) throws {
        let question = try sounds.speech("What is the capital of Texas?")
        let answer = parley.path("answer.wav")
        let log = parley.path("log")
        // Stages are seen in the log, events in the output; both go to one file, in order.
        let run = try parley.start(
            ["talk", "--input", question, "--output", answer, "--json", "--verbose"],
            through: ["/bin/sh", "-c", "exec \"$0\" \"$@\" >\"\(log)\" 2>&1"])
        let deadline = Date().addingTimeInterval(30)
        func seen() -> String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }
        let mark = ["transcript", "answer"].contains(stage) ? "\"event\":\"\(stage)\"" : "reached \(stage)"
        while stage != "start", !seen().contains(mark), run.process.isRunning, Date() < deadline { sched_yield() }
        run.process.interrupt()
        try run.input.close()
        let result = run.result()
        let text = seen()
        #expect(result.code == 130, "\(stage): \(text)")

        let messages = try parley.run("history", "--json").events.first?["messages"] as? [[String: Any]] ?? []
        let roles = messages.compactMap { $0["role"] as? String }
        if text.contains("\"event\":\"transcript\"") { #expect(roles.contains("user"), "\(text)") }
        if text.contains("\"event\":\"answer\"") { #expect(roles.contains("assistant"), "\(text)") }
        #expect(try parley.run("doctor").code == 0)
        if FileManager.default.fileExists(atPath: answer) {
            try SoundFixtures.tool("/usr/bin/sox", [answer, "-n", "stat"])
        }
    }
}
