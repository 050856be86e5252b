// SPDX-License-Identifier: MIT

import CommandLineArguments
import Diagnostics
import Foundation
import TerminalKit
import TestKit
import Testing

@testable import parley

/// Which server a command is about.
@Suite struct AccountOptionsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func settings(_ values: [String: String] = [:], _ environment: [String: String] = [:]) throws
        -> AccountSettings
    {
        let words = try invocation(["sign-in", "a@b.example"] + values.flatMap { ["--" + $0, $1] })
        return try AccountOptions(words).settings(in: app(environment))
    }

    private func app(_ environment: [String: String] = [:]) throws -> CompositionRoot {
        let console = Console(
            output: OutputStream(descriptor: 1), errors: OutputStream(descriptor: 2), isJSON: false,
            traits: TerminalTraits(environment: [:], isTerminal: false))
        return CompositionRoot(
            paths: try AppPaths(environment: ["PARLEY_HOME": folder.path, "HOME": folder.path]), logger: .disabled,
            console: console,
            environment: environment)
    }

    private func keep(_ settings: AccountSettings) throws {
        try app().paths.makeConfigurationFolder()
        try settings.save(to: app().paths.account)
    }

    @Test func theOptionComesBeforeTheEnvironmentAndThatBeforeTheFile() throws {
        #expect(throws: UsageError.self) { try settings() }
        try keep(AccountSettings(server: "https://kept.example", apiKey: "key", store: .file))
        #expect(try settings() == AccountSettings(server: "https://kept.example", apiKey: "key", store: .file))
        let variable = ["PARLEY_SERVER": "https://variable.example"]
        #expect(try settings([:], variable).server == "https://variable.example")
        let option = try settings(["server": "https://option.example"], variable)
        #expect(option == AccountSettings(server: "https://option.example", apiKey: nil, store: .auto))
        #expect(try settings([:], ["PARLEY_SERVER": ""]).server == "https://kept.example")
        // The same server by its name finds what was kept for it.
        #expect(try settings(["server": "https://KEPT.example/"]).store == .file)
        #expect(try settings(["server": "https://kept.example", "api-key": "new"]).apiKey == "new")
    }

    @Test(arguments: [
        ("https://Auth.Example.org/", "https://auth.example.org"),
        ("https://x.supabase.co/auth/v1/", "https://x.supabase.co/auth/v1"),
        ("HTTPS://a.example:443", "https://a.example"), ("http://127.0.0.1:80/", "http://127.0.0.1"),
        ("http://[::1]:9999", "http://[::1]:9999"), ("https://a.example:8443", "https://a.example:8443"),
    ])
    func oneServerHasOneAddress(_ given: String, _ expected: String) throws {
        #expect(try settings(["server": given]).server == expected)
    }

    @Test(arguments: ["", "auth.example.org", "ftp://a.example", "https://", "https:///path", "parley://signed-in"])
    func whatIsNoAddressIsRefused(_ text: String) {
        #expect(throws: UsageError.self) { try settings(["server": text]) }
    }

    @Test func theFileIsForItsOwnerAndADamagedOneIsSaid() throws {
        try keep(AccountSettings(server: "https://kept.example", apiKey: nil, store: .keyring))
        let path = try app().paths.account
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        for content in ["", "{", #"{"version":2,"server":"https://a.example","store":"file"}"#] {
            try Data(content.utf8).write(to: URL(filePath: path))
            #expect(throws: (any Error).self) { try settings() }
            #expect(try settings(["server": "https://a.example"]).server == "https://a.example")
        }
    }
}
