// SPDX-License-Identifier: MIT

import Foundation
import NetworkingTestSupport
import TestKit
import Testing

/// Two devices at each kind of place, with real servers.
@Suite(.timeLimit(.minutes(5))) struct DeviceSyncPlacesTests {
    /// Pairs two homes, and sees that what is asked, renamed and deleted on one is on the other.
    private func meet(_ homes: PairedHomes) async throws {
        try await homes.ask("capital of Texas", on: homes.desk)
        try await homes.setUp()
        try await homes.pair()
        #expect(try await homes.history(of: homes.laptop).contains("Austin"))
        try await homes.ask("capital of Ohio", on: homes.laptop)
        try await homes.exchange(homes.laptop, homes.desk)
        #expect(try await homes.history(of: homes.desk).contains("Columbus"))
        let names = try await homes.run(homes.laptop, "sync", "devices", "--json").events.compactMap {
            $0["name"] as? String
        }
        #expect(Set(names) == ["desk", "laptop"])
        #expect(try await homes.status(of: homes.desk)["waiting"] as? Int == 0)
        try await homes.run(homes.desk, "sync", "revoke", "laptop", "--yes")
        let refused = try await homes.laptop.start(["sync", "now"], environment: homes.environment).finished()
        #expect(refused.code != 0 && refused.errors.contains("removed this one"), "\(refused.errors)")
        try await homes.run(homes.desk, "sync", "leave", "--yes")
        try await beginAnew(homes)
    }

    /// Begins another group at a place that no device knows any more.
    private func beginAnew(_ homes: PairedHomes) async throws {
        func setUp(_ options: String...) async throws -> ParleyProcess.Result {
            let setup = ["sync", "setup", "--store", "file"] + homes.place + options
            let running = try homes.desk.start(setup, environment: homes.environment)
            if let password = homes.password { running.write(password) }
            return await running.finished()
        }
        let taken = try await setUp()
        #expect(taken.code == 2 && taken.errors.contains("--replace"), "\(taken.code) \(taken.errors)")
        let unasked = try await setUp("--replace")
        #expect(unasked.code == 2 && unasked.errors.contains("Add --yes"), "\(unasked.code) \(unasked.errors)")
        let begun = try await setUp("--replace", "--yes")
        #expect(begun.code == 0, "\(begun.errors)")
        let devices = try await homes.run(homes.desk, "sync", "devices", "--json").events
        #expect(devices.count == 1)
    }

    @Test(.enabled(if: ApacheServer.isInstalled, "needs apache2")) func `at Apache over WebDAV`() async throws {
        let server = try ApacheServer.start()
        var homes = try PairedHomes(at: ["--webdav", server.url().absoluteString, "--user", "ada"])
        homes.password = "secret"
        try await meet(homes)
        let objects = try FileManager.default.contentsOfDirectory(atPath: server.folder.file("www/parley-sync"))
        #expect(!objects.isEmpty)
    }

    @Test(.enabled(if: ApacheServer.isInstalled, "needs apache2"))
    func `a wrong password at WebDAV is said and sets nothing up`() async throws {
        let server = try ApacheServer.start()
        let homes = try PairedHomes(at: ["--webdav", server.url().absoluteString, "--user", "ada"])
        let running = try homes.desk.start(["sync", "setup", "--store", "file"] + homes.place)
        running.write("wrong")
        let run = await running.finished()
        #expect(run.code == 3 && run.errors.contains("password"), "\(run.code) \(run.errors)")
        #expect(try await homes.desk.run("sync", "status", "--json").events.first?["isSetUp"] as? Bool == false)
    }

    @Test(.enabled(if: ApacheServer.isInstalled, "needs apache2"))
    func `a password that is lost or wrong is stored again by the advised command`() async throws {
        let server = try ApacheServer.start()
        var homes = try PairedHomes(at: ["--webdav", server.url().absoluteString, "--user", "ada"])
        homes.password = "secret"
        try await homes.setUp()
        for wrong in [nil, "wrong"] as [String?] {
            try await homes.run(homes.desk, "secrets", "delete", "parley-sync/password", "--store", "file")
            if let wrong {
                try await homes.run(
                    homes.desk, "secrets", "set", "parley-sync/password", "--store", "file", input: wrong)
            }
            let refused = try await homes.desk.run("sync", "now")
            #expect(refused.code != 0)
            let advice = try #require(refused.errors.firstMatch(of: #/parley (secrets set .*)/#)?.1)
            let command = try homes.desk.start(advice.split(separator: " ").map(String.init))
            command.write("secret")
            let stored = await command.finished()
            #expect(stored.code == 0, "\(advice): \(stored.errors)")
            try await homes.run(homes.desk, "sync", "now")
        }
    }

    @Test(.enabled(if: OpenSSHServer.isInstalled, "needs openssh-server and openssh-client"))
    func `at OpenSSH over SFTP`() async throws {
        let server = try OpenSSHServer.start()
        let homes = try PairedHomes(at: [
            "--sftp", "sftp://\(OpenSSHServer.user)@127.0.0.1:\(server.port)/\(server.folder.file("files"))", "--key",
            server.folder.file("id"),
        ])
        for home in [homes.desk, homes.laptop] {
            try FileManager.default.createDirectory(atPath: home.path(".ssh"), withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: server.folder.file("known"), toPath: home.path(".ssh/known_hosts"))
        }
        try await meet(homes)
        let objects = try FileManager.default.contentsOfDirectory(atPath: server.folder.file("files/parley-sync"))
        #expect(!objects.isEmpty)
    }

    @Test func `at parley-server, both signed in to one account`() async throws {
        let homes = try await SyncRelay()
        try await meet(homes.devices)
    }

    @Test func `another account than that of the setup is refused`() async throws {
        let relay = try await SyncRelay()
        let homes = relay.devices
        try await homes.setUp()
        try await homes.run(homes.desk, "sign-out")
        let out = try await homes.desk.run("sync", "now")
        #expect(out.code == 3 && out.errors.contains("sign"), "\(out.errors)")
        try await relay.signIn("eve@example.org", homes.desk, mail: 3)
        let refused = try await homes.desk.run("sync", "now")
        #expect(refused.code != 0 && refused.errors.contains("another account"), "\(refused.errors)")
    }

    @Test func `services at parley-server show a question on the other device`() async throws {
        let relay = try await SyncRelay()
        let homes = relay.devices
        try await homes.setUp()
        try await homes.pair()
        let services = (try homes.service(on: homes.desk), try homes.service(on: homes.laptop))
        for service in [services.0, services.1] { #expect(await service.says("Keeping your devices in step")) }
        try await homes.ask("capital of Iowa", on: homes.desk)
        repeat {
            try #require(await services.1.says("\"exchanged\""))
        } while try await !homes.history(of: homes.laptop).contains("Des Moines")
        for service in [services.0, services.1] {
            service.kill(SIGTERM)
            #expect(await service.finished().code == 130)
        }
    }
}

/// A parley-server, and two homes that are signed in there to one account.
private final class SyncRelay {
    let devices: PairedHomes
    private let server: SignInServer
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        server = try SignInServer(home: folder.file("server"))
        devices = try PairedHomes(at: ["--server"])
        for (number, home) in [devices.desk, devices.laptop].enumerated() {
            try await signIn(SignInFixture.email, home, mail: number + 1)
        }
    }

    /// Signs in; `mail` is how many mails there are then.
    func signIn(_ email: String, _ home: ParleyProcess, mail: Int) async throws {
        let asked = try await home.run(
            "sign-in", email, "--no-wait", "--server", server.address, "--store", "file")
        try #require(asked.code == 0, "\(asked.errors)")
        let verified = try await home.run("verify", try await server.mail(mail).code)
        try #require(verified.code == 0, "\(verified.errors)")
    }

    deinit { server.kill() }
}
