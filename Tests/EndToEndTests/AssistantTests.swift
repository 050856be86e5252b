// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import Networking
import StructuredJSON
import TestKit
import Testing

/// `parley assistant`, `models` and `prompts`, and the chats that use them.
@Suite struct AssistantTests {
    private func address(_ chat: ChatFixture) -> String { chat.simulator.baseURL.absoluteString }

    @Test func `chat asks the assistant in use with its key alone`() async throws {
        try await ChatFixture.using(dialect: .llamaCpp) { chat in
            let parley = chat.parley
            let added = try await parley.run(
                "assistant", "add", "home", "--base-url", address(chat), "--model", "qwen", "--api-key", "mine")
            #expect(added.code == 0, "\(added.errors)")
            #expect(try await parley.run("secrets", "set", "mine", "--store", "file", input: "its-own\n").code == 0)
            let before = try await parley.run("assistant", "show", "--json")
            #expect(before.events.first?["order"] as? [String] == ["states", "intents"])
            let used = try await parley.run("assistant", "use", "home")
            #expect(used.code == 0 && used.output.contains("3. home: the model qwen at"), "\(used.output)")
            #expect(try await parley.run("assistant", "list").output.contains("(in use)"))

            let key = ["OPENAI_API_KEY": "sk-never"]
            let first = try await parley.start(["chat", "Hi", "--json"], environment: key).finished()
            #expect(first.code == 0 && first.event("answer")?["model"] as? String == "qwen", "\(first)")
            #expect(chat.simulator.requests.last?.headers["Authorization"] == "Bearer its-own")
            // Another server gets neither the assistant's key nor its model.
            let named = ["chat", "Hi", "--base-url", address(chat), "--model", "llama", "--json"]
            let other = try await parley.start(named, environment: key).finished()
            #expect(other.event("answer")?["model"] as? String == "llama", "\(other)")
            #expect(chat.simulator.requests.last?.headers["Authorization"] == nil)
            let variable = try await parley.start(
                ["chat", "Hi", "--json"], environment: ["PARLEY_MODEL": "from-the-environment"]
            ).finished()
            #expect(variable.event("answer")?["model"] as? String == "from-the-environment", "\(variable)")

            #expect(try await parley.run("assistant", "use", "states").output.contains("turned down"))
            #expect(try await parley.run("chat", "Hi").code == 2, "no key for OpenAI")
            #expect(try await parley.run("assistant", "remove", "home").code == 0)
            #expect(try await parley.run("assistant", "list").output.isEmpty)
        }
    }

    @Test(arguments: [
        (["add", "states", "--model", "m"], "is not states"), (["add", "a b", "--model", "m"], "letters, digits"),
        (["add", "home"], "--model NAME"), (["add", "home", "--model", "m", "--base-url", "x"], "no server's address"),
        (["add", "home", "--model", "m", "--base-url", "http://example.org/v1"], "--plain-http"),
        (["use", "nobody"], "There is no assistant nobody"), (["remove", "nobody"], "There is no assistant nobody"),
    ])
    func `what makes no sense is refused and stores nothing`(_ words: [String], _ hint: String) async throws {
        let parley = try ParleyProcess()
        let result = try await parley.start(["assistant"] + words).finished()
        #expect(result.code == 2 && result.errors.contains(hint), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: parley.path("home")))
    }

    @Test func `a name that is taken stays, and a similar one is suggested`() async throws {
        let parley = try ParleyProcess()
        let words = ["assistant", "add", "home", "--base-url", "http://127.0.0.1:1/v1", "--model"]
        #expect(try await parley.start(words + ["first"]).finished().code == 0)
        #expect(try await parley.start(words + ["second"]).finished().code == 2)
        #expect(try await parley.run("assistant", "list").output.contains("the model first"))
        #expect(try await parley.run("assistant", "use", "hom").errors.contains("Did you mean home?"))
    }

    @Test func `the server and model of the settings are asked where no assistant is in use`() async throws {
        try await ChatFixture.using(dialect: .ollama) { chat in
            let parley = chat.parley
            #expect(try await parley.run("settings", "set", "base-url", address(chat)).code == 0)
            #expect(try await parley.run("chat", "Hi").errors.contains("Name the model"))
            #expect(try await parley.run("settings", "set", "model", "llama3.2").code == 0)
            let answered = try await parley.start(
                ["chat", "Hi", "--json"], environment: ["OPENAI_API_KEY": "sk-never"]
            )
            .finished()
            #expect(answered.event("answer")?["model"] as? String == "llama3.2", "\(answered)")
            #expect(chat.simulator.requests.allSatisfy { $0.headers["Authorization"] == nil })
            #expect(try await parley.run("settings", "set", "budget", "0").code == 0)
            let spent = try await parley.run("chat", "Hi")
            #expect(spent.code == 3 && spent.errors.contains("budget"), "\(spent)")
        }
    }

    @Test func `models lists what the server offers, and sets the default`() async throws {
        try await ChatFixture.using { chat in
            let listed = try await chat.run("models", "--json")
            let ids = listed.events.compactMap { $0["id"] as? String }
            #expect(ids.contains("gpt-5-mini") && ids == ids.sorted(), "\(listed)")
            #expect(listed.events.filter { $0["isDefault"] as? Bool == true }.map { $0["id"] as? String } == ["gpt-5"])
            let wrong = try await chat.run("models", "use", "gpt-5-mina")
            #expect(wrong.code == 2 && wrong.errors.contains("Did you mean gpt-5-mini?"), "\(wrong.errors)")
            #expect(try await chat.run("models", "use", "gpt-5-mini").code == 0)
            #expect(try await chat.parley.run("settings", "get", "model").output == "gpt-5-mini\n")
            let answered = try await chat.run("chat", "Hi", "--json", environment: ["PARLEY_MODEL": ""])
            #expect(answered.event("answer")?["model"] as? String == "gpt-5-mini", "\(answered)")
            // Of the assistant in use, not of the settings.
            let add = ["assistant", "add", "home", "--base-url", address(chat), "--model", "gpt-5"]
            #expect(try await chat.parley.start(add).finished().code == 0)
            #expect(try await chat.run("assistant", "use", "home").code == 0)
            let used = try await chat.parley.run("models", "use", "gpt-5-nano", "--json", "--no-check")
            #expect(used.events.first?["assistant"] as? String == "home", "\(used)")
            #expect(try await chat.parley.run("assistant", "show").output.contains("gpt-5-nano"))
            #expect(try await chat.parley.run("settings", "get", "model").output == "gpt-5-mini\n")
        }
    }

    @Test func `a server without a list of models is a clear error`() async throws {
        try await ChatFixture.using { chat in
            let url = address(chat).replacing("/v1", with: "")
            let result = try await chat.run("models", "--base-url", url)
            #expect(result.code == 3 && result.errors.contains("usually end in /v1"), "\(result)")
        }
    }

    @Test func `a stored prompt is told to the model`() async throws {
        try await ChatFixture.using { chat in
            func told(_ words: String...) async throws -> String? {
                let running = try chat.parley.start(["chat", "Hi"] + words, environment: chat.environment)
                let result = await running.finished()
                #expect(result.code == 0, "\(result.errors)")
                return chat.simulator.requests.last?.json?["instructions"]?.string
            }
            #expect(try await chat.run("prompts", "add", "brief", "Be", "brief.").code == 0)
            #expect(try await chat.run("prompts", "add", "long", "-", input: "Be\nverbose.").code == 0)
            #expect(try await chat.run("prompts", "add", "brief", "again").code == 2)
            #expect(try await told() == nil)
            #expect(try await chat.run("prompts", "use", "brief").code == 0)
            #expect(try await told() == "Be brief.")
            #expect(try await told("--prompt", "long") == "Be\nverbose.")
            #expect(try await told("--prompt", "none") == nil)
            #expect(try await told("--system", "Mine.") == "Mine.")
            let both = try await chat.run("chat", "Hi", "--system", "a", "--prompt", "brief")
            #expect(both.code == 2 && both.errors.contains("do not go together"), "\(both.errors)")
            #expect(try await chat.run("prompts", "list").output.contains("brief  Be brief.  (in use)"))
            #expect(try await chat.run("prompts", "show", "long").output == "Be\nverbose.\n")
            let unknown = try await chat.run("chat", "Hi", "--prompt", "brif")
            #expect(unknown.code == 2 && unknown.errors.contains("Did you mean brief?"), "\(unknown.errors)")
            #expect(try await chat.run("prompts", "remove", "brief").code == 0)
            #expect(try await told() == nil, "a removed prompt is in use no more")
            #expect(try await chat.run("prompts", "use", "long").code == 0)
            #expect(try await chat.run("prompts", "use", "none").code == 0)
            #expect(try await told() == nil)
        }
    }
}
