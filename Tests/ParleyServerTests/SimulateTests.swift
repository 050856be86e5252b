// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// `parley-server simulate-openai` as a process of its own.
@Suite struct SimulateTests {
    @Test func servesUntilItIsEnded() async throws {
        let home = try TemporaryFolder()
        let record = home.path + "/requests.jsonl"
        let simulator = try SimulatorProcess(["--seed", "7", "--record", record])
        let body = #"{"model":"gpt-5","input":"Hello there"}"#
        let answer = try await simulator.post("/responses", body)
        #expect(answer.contains("You said: “Hello there” (2 words)."))
        #expect(answer.contains(#""id":"resp_"#))
        let again = try SimulatorProcess(["--seed", "7"])
        #expect(try await again.post("/responses", body).prefix(60) == answer.prefix(60))
        #expect(again.stop(SIGINT) == 0)
        #expect(simulator.stop(SIGTERM) == 0)
        let line = try String(contentsOfFile: record, encoding: .utf8)
        #expect(line == #"{"method":"POST","path":"/v1/responses","body":\#(body)}"# + "\n")
    }

    @Test func speaksAsItIsTold() async throws {
        let home = try TemporaryFolder()
        let file = home.path + "/scenario.json"
        try #"{"turns": [{"answer": "From a file"}]}"#.write(toFile: file, atomically: false, encoding: .utf8)
        let simulator = try SimulatorProcess(["--scenario", file, "--dialect", "ollama"])
        let answer = try await simulator.post(
            "/chat/completions", #"{"model":"any","messages":[{"role":"user","content":"x"}]}"#)
        #expect(answer.contains("From a file"))
        #expect(answer.contains("fp_ollama"))
        #expect(simulator.stop(SIGTERM) == 0)
    }

    @Test func mistakesAreTold() throws {
        let home = try TemporaryFolder()
        let file = home.path + "/scenario.json"
        try #"{"turns": [{"faults": [{"cutt": 1}]}]}"#.write(toFile: file, atomically: false, encoding: .utf8)
        let bad = try SimulatorProcess.run(["--scenario", file])
        #expect(bad.code == 6)
        #expect(bad.errors.contains("\(file): turns[0].faults[0]: "))
        let missing = try SimulatorProcess.run(["--scenario", home.path + "/none.json"])
        #expect(missing.code == 6)
        #expect(missing.errors.contains("cannot be read"))
        let unknown = try SimulatorProcess.run(["--prot", "1"])
        #expect(unknown.code == 2)
        #expect(
            unknown.errors
                == "parley-server: There is no option --prot. Did you mean --port? "
                + "Run: parley-server simulate-openai --help\n")
        let seed = try SimulatorProcess.run(["--realtime-seed", "x"])
        #expect(seed.code == 2)
        #expect(seed.errors.contains("--realtime-seed takes a whole number"))
        let simulator = try SimulatorProcess([])
        let second = try SimulatorProcess.run(["--port", "\(simulator.port)"])
        #expect(second.code == 5)
        #expect(second.errors.contains("addressInUse"))
        #expect(simulator.stop(SIGTERM) == 0)
    }
}
