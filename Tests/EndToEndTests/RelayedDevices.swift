// SPDX-License-Identifier: MIT

import Foundation
import Persistence
import TestKit
import Testing

/// Devices of a person who is signed in at one server on all of them.
final class RelayedDevices {
    static let email = "ada@example.org"
    let serverHome: TemporaryFolder
    private(set) var server: SignInServer
    /// The address by which the devices reach the server.
    let address: String
    private var mails = 0

    /// - Parameters:
    ///   - log: The server's log, in all detail.
    ///   - reach: Makes the address by which the devices reach the server of its own.
    init(log: String? = nil, reach: (SignInServer) throws -> String = { $0.address }) throws {
        serverHome = try TemporaryFolder()
        server = try SignInServer(home: serverHome.path, log: log)
        address = try reach(server)
    }

    /// Before the folder goes, which a server that still lives would write into.
    deinit { server.kill() }

    /// Starts the server again where it was.
    func restartServer() throws {
        server.kill()
        server = try SignInServer(home: serverHome.path, port: server.port)
    }

    func environment(of device: ParleyProcess) -> [String: String] {
        device.environment.merging(["PARLEY_SERVER": address, "NO_COLOR": "1"]) { $1 }
    }

    /// Runs a command on a device; it must end well.
    @discardableResult
    func run(_ device: ParleyProcess, _ arguments: String..., input: String = "") async throws -> ParleyProcess.Result {
        let running = try device.start(arguments, environment: ["PARLEY_SERVER": address])
        running.write(input)
        let result = await running.finished()
        try #require(result.code == 0, "\(arguments): \(result.errors)")
        return result
    }

    func signIn(_ device: ParleyProcess) async throws {
        try await run(device, "sign-in", Self.email, "--no-wait", "--server", address)
        mails += 1
        try await run(device, "verify", try await server.mail(mails).code)
    }

    /// Begins a group on the first device; the second one joins it by the recovery phrase.
    func setUp(_ first: ParleyProcess, _ second: ParleyProcess) async throws {
        for device in [first, second] { try await signIn(device) }
        try await run(first, "sync", "setup", "--server", "--name", "desk", "--store", "file")
        let shown = try await run(first, "sync", "recovery", "show", "--json").events.first
        let words = try #require(shown?["words"] as? [String])
        try await run(
            second, "sync", "recovery", "use", "--server", "--name", "phone", "--store", "file",
            input: words.joined(separator: " "))
    }

    /// The questions in a device's history.
    func questions(on device: ParleyProcess) async throws -> [String] {
        let history = try await run(device, "history", "--json", "--limit", "100000").events.first
        let messages = try #require(history?["messages"] as? [[String: Any]])
        return messages.filter { $0["role"] as? String == "user" }.compactMap { $0["text"] as? String }
    }

    /// The faults that SQLite finds in the databases of a folder.
    static func databaseFaults(in folder: String) async throws -> [String] {
        var faults: [String] = []
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder) where file.hasSuffix(".sqlite") {
            let database = try await Database(at: folder + "/" + file)
            faults += try await database.integrityCheck().map { "\(file): \($0)" }
            await database.close()
        }
        return faults
    }
}
