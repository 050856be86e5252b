// SPDX-License-Identifier: MIT

import DBusTestSupport
import EchoSimulator
import Foundation
import StructuredJSON
import TestKit
import Testing

/// `parley context`, and questions that a situation goes with.
@Suite(.timeLimit(.minutes(5))) struct ContextTests {
    private func sent(_ chat: ChatFixture) -> String { chat.simulator.requests.last?.json.map { "\($0)" } ?? "" }

    @Test func `what several programs take back at once stays taken back`() async throws {
        let parley = try ParleyProcess()
        let parts = ["time", "history", "device", "activity", "location"]
        for _ in 0..<5 {
            #expect(try await parley.start(["context", "allow"] + parts).finished().code == 0)
            let codes = try await withThrowingTaskGroup(of: Int32.self) { group in
                for part in parts { group.addTask { try await parley.run("context", "deny", part).code } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(codes == [0])
            let list = try await parley.run("context", "list", "--json")
            #expect(!list.output.contains(#""isAllowed":true"#), "\(list)")
        }
    }

    @Test func `nothing is read or sent before it is allowed, and nothing after it is denied`() async throws {
        try await ChatFixture.withModelInUse([.init(.message("Hello."), times: 4)]) { chat in
            let list = try await chat.parley.run("context", "list")
            #expect(list.output.split(separator: "\n").filter { $0.hasPrefix("off  ") }.count == 6, "\(list)")
            let nothing = try await chat.parley.run("context", "show", "--json")
            #expect(nothing.code == 0 && nothing.events.first?["text"] == nil, "\(nothing)")
            _ = try await chat.parley.run("ask", "Tell me a joke")
            #expect(!sent(chat).contains("situation"))

            #expect(try await chat.parley.run("context", "allow", "time", "history").code == 0)
            _ = try await chat.parley.run("ask", "Tell me a joke")
            #expect(!sent(chat).contains("situation"), "it needs a consent of its own")

            let consent = try await chat.parley.run("context", "share")
            #expect(consent.code == 0 && consent.output.contains("context withhold"), "\(consent)")
            let shown = try await chat.parley.run("context", "show", "--json").events.first
            let lines = try #require((shown?["text"] as? String)?.split(separator: "\n").map(String.init))
            #expect(lines.count == 3 && lines[2].contains("Tell me a joke"), "\(lines)")
            let answered = try await chat.parley.run("ask", "Tell me another one")
            #expect(
                answered.code == 0 && sent(chat).contains(lines[2]) && sent(chat).contains("- Time: "), "\(answered)")

            // The turn says what was sent.
            let history = try await chat.parley.run("history", "--json")
            #expect(history.output.contains("parley.context") && history.output.contains("- Time: "), "\(history)")
            let archive = chat.parley.path("all.tar")
            #expect(try await chat.parley.run("data", "export", archive, "--offline").code == 0)
            let tar = try ChildProcess(
                "tar", ["-xOf", archive, "context.json", "history.jsonl"], errors: .captured
            ).finish()
            #expect(tar.output.contains("\"allowed\"") && tar.output.contains("parley.context"), "\(tar)")

            #expect(try await chat.parley.run("context", "withhold").code == 0)
            _ = try await chat.parley.run("ask", "Tell me a joke")
            #expect(!sent(chat).contains("situation"))
            #expect(try await chat.parley.run("data", "delete", "--offline", "--yes").code == 0)
            let gone = try await chat.parley.run("context", "list", "--json").events.first
            #expect(gone?["isSent"] as? Bool == false)
        }
    }

    @Test func `a chat with the model in use gets it, too, and no other chat does`() async throws {
        try await ChatFixture.withModelInUse([.init(.message("Hello."), times: 4)]) { chat in
            #expect(try await chat.parley.run("context", "allow", "time").code == 0)
            #expect(try await chat.parley.run("chat", "Tell me a joke").code == 0)
            #expect(!sent(chat).contains("situation"), "it needs a consent of its own")
            #expect(try await chat.parley.run("context", "share").code == 0)
            let told = try await chat.parley.run("chat", "Tell me a joke")
            #expect(told.code == 0 && sent(chat).contains("- Time: "), "\(told)")
            #expect(try await chat.parley.run("history", "--json").output.contains("parley.context"))
            let unstored = try await chat.parley.run("chat", "--no-history", "Tell me a joke")
            #expect(unstored.code == 0 && !sent(chat).contains("situation"), "\(unstored)")
            try await ChatFixture.using([.init(.message("Hello."))], dialect: .llamaCpp) { other in
                let elsewhere = try await chat.parley.run(
                    "chat", "--base-url", other.simulator.baseURL.absoluteString, "--model", "qwen", "Tell me a joke")
                #expect(elsewhere.code == 0 && !sent(other).contains("situation"), "\(elsewhere)")
            }
        }
    }

    /// The source of an answer in a zone. Half a day lies between the clocks of UTC0 and ABC-12.
    private func source(_ chat: ChatFixture, _ zone: String) async throws -> String? {
        let running = try chat.parley.start(["ask", "Who wrote Dracula?", "--json"], environment: ["TZ": zone])
        running.write("")
        return await running.finished().events.first?["source"] as? String
    }

    @Test func `a kept answer is used in a similar situation alone`() async throws {
        let dracula = Scenario.Turn(.message(#"{"answer":"Bram Stoker wrote it.","lasts":true}"#), times: 3)
        try await ChatFixture.withModelInUse([dracula]) { chat in
            // The command before it, the zone, and the source of the answer.
            let steps: [([String], String, String)] = [
                ([], "UTC0", "model:qwen"), ([], "ABC-12", "cache"),
                // It was given in no situation, so it depends on none.
                (["context", "allow", "time"], "ABC-12", "cache"),
                (["cache", "clear"], "UTC0", "model:qwen"), ([], "UTC0", "cache"), ([], "ABC-12", "model:qwen"),
                (["context", "deny", "time"], "UTC0", "cache"),
            ]
            for (number, (words, zone, expected)) in steps.enumerated() {
                if !words.isEmpty {
                    let running = try chat.parley.start(words)
                    running.closeInput()
                    #expect(await running.finished().code == 0)
                }
                let found = try await source(chat, zone)
                #expect(found == expected, "step \(number)")
            }
        }
    }

    @Test func `calendars, battery and activity are shown, and what is missing is said`() async throws {
        let bus = try PrivateBus()
        try bus.mock("logind", name: "org.freedesktop.login1")
        let parley = try ParleyProcess()
        let calendar = parley.path("mine.ics")
        try Data("BEGIN:VEVENT\nSUMMARY:Stand-up\nDTSTART:20200101T000000Z\nRRULE:FREQ=DAILY\nEND:VEVENT\n".utf8)
            .write(to: URL(filePath: calendar))
        let allowed = try await parley.run(
            "context", "allow", "events", "device", "activity", "location", "--calendar", calendar)
        #expect(allowed.code == 0 && allowed.output.contains(calendar), "\(allowed)")
        let shown = try await parley.run("context", "show", "--json", environment: bus.variables)
        let output = try #require(shown.events.first)
        let parts = try #require(output["parts"] as? [String: String])
        #expect(
            parts["events"]?.contains("Stand-up") == true && parts["activity"] == "At the device: active", "\(shown)")
        #expect(parts["device"]?.hasPrefix("Device: ") == true, "\(shown)")
        #expect((output["missing"] as? [String: String])?["location"]?.contains("geoclue") == true, "\(shown)")
        withExtendedLifetime(bus) {}
    }

    @Test(arguments: [
        ["context", "allow", "weather"], ["context", "deny"], ["context", "deny", "time", "--all"],
        ["context", "allow", "time", "--calendar", "x.ics"],
    ]) func `wrong words are refused`(words: [String]) async throws {
        let parley = try ParleyProcess()
        let running = try parley.start(words)
        running.write("")
        #expect(await running.finished().code == 2)
    }

    @Test func `bad calendars and a damaged choice say what to do`() async throws {
        let parley = try ParleyProcess()
        let none = try await parley.run("context", "allow", "events")
        #expect(none.code != 0 && none.errors.contains("--calendar FILE"), "\(none)")
        let script = parley.path("script.py")
        try Data("print('BEGIN')".utf8).write(to: URL(filePath: script))
        let other = try await parley.run("context", "allow", "events", "--calendar", script)
        #expect(other.code == 6 && other.errors.contains("script.py is no calendar. Name an .ics file"), "\(other)")
        let missing = try await parley.run("context", "allow", "events", "--calendar", "missing.ics")
        #expect(missing.code != 0 && missing.errors.contains("cannot be read"), "\(missing)")
        #expect(try await parley.run("context", "allow", "time").code == 0)
        let file = try #require(
            FileManager.default.subpathsOfDirectory(atPath: parley.path("home")).first { $0.hasSuffix("context.json") })
        try Data(#"{"allowed":{"telepathy":"x"},"calendars":[]}"#.utf8).write(
            to: URL(filePath: parley.path("home") + "/" + file))
        let damaged = try await parley.run("context", "list")
        #expect(damaged.code == 6 && damaged.errors.contains("context deny --all"), "\(damaged)")
        #expect(try await parley.run("context", "deny", "--all").code == 0)
        #expect(try await parley.run("context", "list").code == 0)
    }
}
