// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// `parley account delete`, at a server of its own.
@Suite(.timeLimit(.minutes(5))) struct AccountDeletionTests {
    private let fixture: SignInFixture

    init() throws { fixture = try SignInFixture() }

    @Test func `a whole word deletes the account and signs out`() async throws {
        try await fixture.signIn()
        let terminal = try fixture.startAtTerminal("account", "delete")
        try await terminal.shows("This deletes \(SignInFixture.email) at \(fixture.server.address) for good")
        try terminal.type("delete\n")
        try await terminal.shows("Deleted \(SignInFixture.email)")
        try await terminal.shows("Receipt ")
        #expect(await terminal.code() == 0, "\(terminal.text)")
        #expect(try await fixture.whoami().code == 3)
        // The address is free: signing in makes another account.
        try await fixture.signIn(mail: 2)
        #expect(try await fixture.whoami() == (0, SignInFixture.email))
    }

    @Test(arguments: ["d\n", "yes\n", "Delete it\n", "\n"]) func `any other word deletes nothing`(
        _ word: String
    ) async throws {
        try await fixture.signIn()
        let terminal = try fixture.startAtTerminal("account", "delete")
        try await terminal.shows("for good")
        try terminal.type(word)
        try await terminal.shows("Nothing was deleted.")
        #expect(await terminal.code() == 3)
        #expect(try await fixture.whoami() == (0, SignInFixture.email))
    }

    @Test func `nobody is asked without a terminal`() async throws {
        #expect(try await fixture.run("account", "delete", "--yes").code == 3, "nobody is signed in")
        try await fixture.signIn()
        #expect(try await fixture.run("account", "delete").code == 2)
        let deleted = try await fixture.run("account", "delete", "--yes", "--json")
        #expect(deleted.code == 0 && deleted.events.first?["place"] as? String == "server", "\(deleted.output)")
        #expect(try await fixture.whoami().code == 3)
    }

    @Test func `devices that met at the server are told, and keep what they have`() async throws {
        try await fixture.signIn()
        let settings = fixture.parley.path("home/config/sync.json")
        try Data(#"{"version":1,"place":{"server":{}},"store":"file","isPaused":false}"#.utf8).write(
            to: URL(filePath: settings))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: settings)
        let deleted = try await fixture.run("account", "delete", "--yes")
        #expect(deleted.code == 0 && deleted.errors.contains("parley sync leave"), "\(deleted.errors)")
        #expect(FileManager.default.fileExists(atPath: settings))
    }

    @Test func `without the server nothing is done`() async throws {
        try await fixture.signIn()
        fixture.server.kill()
        #expect(try await fixture.run("account", "delete", "--yes").code == 5)
        try fixture.restartServer()
    }
}
