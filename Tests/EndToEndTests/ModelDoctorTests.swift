// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import TestKit
import Testing

/// `parley doctor` tries the model in use, and says what to do.
@Suite(.timeLimit(.minutes(5))) struct ModelDoctorTests {
    /// What doctor finds of the model, and its exit code.
    private func finding(_ parley: ParleyProcess) async throws -> (code: Int32, status: String, text: String) {
        let doctor = try await parley.run("doctor", "--json")
        let findings = try #require(doctor.events.first?["findings"] as? [[String: Any]], "\(doctor)")
        let model = try #require(findings.first { $0["name"] as? String == "Model" })
        let words = [model["detail"], model["advice"]].compactMap { $0 as? String }.joined(separator: " ")
        return (doctor.code, model["status"] as? String ?? "", words)
    }

    @Test func `without a model in use nothing is sent`() async throws {
        try await ChatFixture.using([]) { chat in
            let found = try await finding(chat.parley)
            #expect(found.code == 0 && found.status == "works" && found.text.contains("none in use"), "\(found)")
            #expect(chat.simulator.requests.isEmpty)
        }
    }

    @Test func `a model that answers, that is missing and that is away`() async throws {
        let missing = Scenario.Turn(faults: [.status(404)])
        try await ChatFixture.using([.init(.message("ok")), missing], dialect: .llamaCpp) { chat in
            let url = chat.simulator.baseURL.absoluteString
            #expect(
                try await chat.parley.run("assistant", "add", "home", "--base-url", url, "--model", "qwen").code == 0)
            #expect(try await chat.parley.run("assistant", "use", "home").code == 0)
            let works = try await finding(chat.parley)
            #expect(works.code == 0 && works.status == "works" && works.text.contains("first word"), "\(works)")
            let refuses = try await finding(chat.parley)
            #expect(refuses.code == 3 && refuses.status == "broken", "\(refuses)")
            #expect(refuses.text.contains("parley models"), "\(refuses)")
            await chat.simulator.close()
            let away = try await finding(chat.parley)
            #expect(away.code == 5 && away.status == "broken" && away.text.contains("--later"), "\(away)")
        }
    }

    @Test func `a key that is missing or wrong`() async throws {
        var configuration = SimulatorConfiguration()
        configuration.key = "sk-right"
        let chat = try await ChatFixture([], configuration: configuration)
        let parley = chat.parley
        let added = try await parley.run(
            "assistant", "add", "work", "--base-url", chat.simulator.baseURL.absoluteString, "--model", "gpt-5",
            "--api-key", "work")
        #expect(added.code == 0, "\(added.errors)")
        #expect(try await parley.run("assistant", "use", "work").code == 0)
        let missing = try await finding(parley)
        #expect(missing.code == 3 && missing.text.contains("parley secrets set"), "\(missing)")
        #expect(chat.simulator.requests.isEmpty)
        let set = try await parley.run("secrets", "set", "work", "--store", "file", input: "sk-wrong-and-never-shown\n")
        #expect(set.code == 0, "\(set.errors)")
        let wrong = try await finding(parley)
        #expect(wrong.code == 3 && wrong.status == "broken" && !wrong.text.contains("never-shown"), "\(wrong)")
        await chat.simulator.close()
    }
}
