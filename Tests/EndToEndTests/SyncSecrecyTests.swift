// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// No word of a person is at the place, in the relay's log, or on the way there.
@Suite(.timeLimit(.minutes(5))) struct SyncSecrecyTests {
    /// Sentences, a title, names of devices and a setting.
    private static let words = [
        "Quetzalcoatl, what is the capital of Ohio?", "Quetzalcoatl", "Columbus", "A trip with Xanthippe",
        "Xanthippe",
        "desk-zephyrine", "phone-kumquat", "tablet-ocelot", "hey mulligatawny",
        "Nefertiti, what is the capital of Maine?", "Nefertiti", "Augusta",
    ]

    @Test func `the relay, its log and the network see no word`() async throws {
        let logs = try TemporaryFolder()
        let proxies = Proxies()
        let relay = try RelayedDevices(log: logs.file("log")) { server in
            let proxy = try RecordingProxy(to: server.port)
            proxies.all.append(proxy)
            return proxy.address
        }
        defer { for proxy in proxies.all { proxy.close() } }
        let devices = try (0..<3).map { _ in try ParleyProcess() }
        for device in devices { try await relay.signIn(device) }
        try await use(devices, relay, place: ["--server"])

        var found = try Self.found(inFilesOf: relay.serverHome.path) + Self.found(inFilesOf: logs.path)
        for proxy in proxies.all { found += Self.words(in: proxy.bytes).map { "\($0) in the traffic" } }
        #expect(found.isEmpty)
        // What was looked through is what was sent: the relay's objects, its log, and the traffic.
        let objects = try await relay.run(devices[0], "sync", "now", "--json")
        #expect(objects.output.contains(#""findings":[]"#))
        #expect(proxies.all.contains { $0.bytes.count > 10_000 })
        #expect(Data(proxies.all.flatMap(\.bytes)).range(of: Data("/sync/".utf8)) != nil)
        #expect(try String(contentsOfFile: logs.file("log"), encoding: .utf8).contains("sync"))
        try checkTheSearch(devices[0])
    }

    @Test func `a folder sees no word and gives nothing without a device's key`() async throws {
        let shared = try TemporaryFolder()
        let relay = try RelayedDevices()
        let devices = try (0..<3).map { _ in try ParleyProcess() }
        try await use(devices, relay, place: ["--folder", shared.path])
        #expect(try Self.found(inFilesOf: shared.path).isEmpty)
        try checkTheSearch(devices[0])

        // Somebody has the folder and another phrase.
        let (thief, other) = (try ParleyProcess(), try TemporaryFolder())
        try await relay.run(thief, "sync", "setup", "--folder", other.path, "--name", "thief", "--store", "file")
        let shown = try await relay.run(thief, "sync", "recovery", "show", "--json").events.first
        let phrase = try #require(shown?["words"] as? [String]).joined(separator: " ")
        let robber = try ParleyProcess()
        let refused = try await robber.run(
            "sync", "recovery", "use", "--folder", shared.path, "--name", "robber", "--store", "file", input: phrase)
        #expect(refused.code != 0)
        let history = try await robber.run("history", "--json")
        #expect(Self.words(in: Array(history.output.utf8)).isEmpty)
    }

    /// The proxies that a relay was given.
    private final class Proxies {
        var all: [RecordingProxy] = []
    }

    // MARK: What the person does

    /// Begins a group, brings a device back by the phrase, pairs one by a code, removes one, and writes at each step.
    private func use(_ devices: [ParleyProcess], _ relay: RelayedDevices, place: [String]) async throws {
        func run(_ device: ParleyProcess, _ arguments: [String], input: String = "") async throws
            -> ParleyProcess.Result
        {
            let running = try device.start(arguments, environment: relay.environment(of: device))
            running.write(input)
            let result = await running.finished()
            try #require(result.code == 0, "\(arguments): \(result.errors)")
            return result
        }
        func exchange() async throws {
            for device in [devices[0], devices[1], devices[0], devices[1]] {
                _ = try await run(device, ["sync", "now"])
            }
        }
        _ = try await run(devices[0], ["ask", "Quetzalcoatl, what is the capital of Ohio?"])
        _ = try await run(devices[0], ["settings", "set", "wake-word", "hey mulligatawny"])
        let list = try await run(devices[0], ["conversations", "list", "--json"]).events.first
        let conversations = try #require(list?["conversations"] as? [[String: Any]])
        let id = try #require(conversations.last?["id"] as? String)
        _ = try await run(devices[0], ["conversations", "rename", id, "A", "trip", "with", "Xanthippe"])
        _ = try await run(devices[0], ["sync", "setup"] + place + ["--name", "desk-zephyrine", "--store", "file"])
        let shown = try await run(devices[0], ["sync", "recovery", "show", "--json"]).events.first
        let phrase = try #require(shown?["words"] as? [String])
        _ = try await run(
            devices[1], ["sync", "recovery", "use"] + place + ["--name", "phone-kumquat", "--store", "file"],
            input: phrase.joined(separator: " "))
        try await exchange()
        try await pair(devices[0], devices[2], relay, place)
        _ = try await run(devices[2], ["sync", "now"])
        try await exchange()
        _ = try await run(devices[0], ["sync", "revoke", "tablet-ocelot", "--yes"])
        _ = try await run(devices[1], ["ask", "Nefertiti, what is the capital of Maine?"])
        try await exchange()
        #expect(try await run(devices[0], ["history"]).output.contains("Nefertiti"))
        // The tablet read the first question, and nothing after its removal.
        let late = try devices[2].start(["sync", "now"], environment: relay.environment(of: devices[2]))
        _ = await late.finished()
        let history = try await run(devices[2], ["history"]).output
        #expect(history.contains("Quetzalcoatl") && !history.contains("Nefertiti"))
    }

    private func pair(
        _ member: ParleyProcess, _ newcomer: ParleyProcess, _ relay: RelayedDevices, _ place: [String]
    ) async throws {
        let adding = try TerminalRun(
            [ParleyProcess.executable, "sync", "add-device"], environment: relay.environment(of: member))
        try await adding.shows("Waiting for the other device.")
        let code = try #require(adding.text.firstMatch(of: /The code is ([A-Z0-9-]+)\./)).1
        let joining = try TerminalRun(
            [ParleyProcess.executable, "sync", "join", String(code)] + place
                + ["--name", "tablet-ocelot", "--store", "file"], environment: relay.environment(of: newcomer))
        for run in [adding, joining] { try await run.shows("Type \"yes\"") }
        for run in [adding, joining] { try run.type("yes\n") }
        #expect(await adding.code() == 0, "\(adding.text)")
        #expect(await joining.code() == 0, "\(joining.text)")
    }

    // MARK: The search

    /// The same search finds the words where they are: in a database that is not sealed.
    private func checkTheSearch(_ device: ParleyProcess) throws {
        let found = try Self.found(inFilesOf: device.path("home"))
        for word in ["Quetzalcoatl", "Xanthippe", "Nefertiti"] {
            #expect(found.contains { $0.hasPrefix("\(word) as text") }, "\(word)")
        }
        let bytes = Array("Quetzalcoatl".utf8)
        for prefix in ["", "a", "ab"] {
            let encoded = Data(prefix.utf8 + bytes).base64EncodedString()
            #expect(Self.words(in: Array(encoded.utf8)).contains("Quetzalcoatl as base64"))
        }
        let digits = bytes.map { String($0, radix: 16) }.joined()
        #expect(Self.words(in: Array(digits.uppercased().utf8)).contains("Quetzalcoatl as hexadecimal"))
    }

    private static func found(inFilesOf folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).flatMap { file in
            let bytes = FileManager.default.contents(atPath: folder + "/" + file) ?? Data()
            return words(in: Array(file.utf8) + [0] + bytes).map { "\($0) in \(file)" }
        }
    }

    /// The words that bytes hold: as they are, in base64 at any offset, in hexadecimal.
    private static func words(in bytes: [UInt8]) -> [String] {
        let data = Data(bytes)
        // Hexadecimal is found whatever its case.
        let lower = Data(bytes.map { (0x41...0x46).contains($0) ? $0 | 0x20 : $0 })
        return words.flatMap { word -> [String] in
            let text = Array(word.utf8)
            var found: [String] = []
            if data.range(of: Data(text)) != nil { found.append("\(word) as text") }
            let isEncoded = (0..<3).contains { offset in
                // The characters that the word alone decides.
                let encoded = Data([UInt8](repeating: 0, count: offset) + text).base64EncodedString()
                let start = [0, 2, 3][offset]
                let end = (offset + text.count) / 3 * 4
                let inner = encoded.dropFirst(start).prefix(max(0, end - start))
                let others = inner.replacing("+", with: "-").replacing("/", with: "_")
                return inner.count >= 8
                    && [String(inner), String(others)].contains { data.range(of: Data($0.utf8)) != nil }
            }
            if isEncoded { found.append("\(word) as base64") }
            let digits = text.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            if lower.range(of: Data(digits.utf8)) != nil { found.append("\(word) as hexadecimal") }
            return found
        }
    }
}
