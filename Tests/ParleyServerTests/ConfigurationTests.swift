// SPDX-License-Identifier: MIT

import AuthServer
import Foundation
import TestKit
import Testing

@testable import ParleyServer

@Suite struct ConfigurationTests {
    private let home: TemporaryFolder

    init() throws {
        home = try TemporaryFolder()
    }

    private func file(_ text: String, mode: Int = 0o600) throws -> String {
        let path = home.path + "/server.json"
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    private func options(_ text: String? = nil, _ environment: [String: String] = [:]) throws -> ServerOptions {
        var options = ServerOptions(home: home.path, mail: .folder(home.path))
        try ServerConfiguration(file: text.map { try file($0) }, environment: environment).apply(to: &options)
        return options
    }

    private func complaint(_ text: String, mode: Int = 0o600) throws -> String? {
        let path = try file(text, mode: mode)
        do {
            _ = try ServerConfiguration(file: path, environment: [:])
            return nil
        } catch {
            return error.description.replacing(home.path + "/", with: "")
        }
    }

    @Test func `the page has every setting and its default`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/configuration.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(rows == ServerSetting.table.map(\.documentation))
        #expect(try ServerProcess.run(["settings"]).output == ServerConfiguration.documentation)
    }

    /// A limit that no setting changes is a limit that an operator cannot change.
    @Test func `every limit of the options is a setting`() throws {
        let options = ServerOptions(home: "", mail: .folder(""))
        var changed = options
        for setting in ServerSetting.table {
            switch (setting.kind, setting.value(options)) {
            case (.number(let range), .number(let number)?):
                #expect(range.contains(number), "\(setting.name)'s default")
                let other = number == range.lowerBound ? range.upperBound : range.lowerBound
                setting.apply(.number(other), &changed)
                #expect(setting.value(changed) == .number(other), "\(setting.name)")
            case (.flag, .flag(let flag)?):
                setting.apply(.flag(!flag), &changed)
                #expect(setting.value(changed) == .flag(!flag), "\(setting.name)")
            case (.text, nil): break
            default: Issue.record("\(setting.name) has a default of another kind")
            }
        }
        #expect(Set(ServerSetting.table.map(\.name)).count == ServerSetting.table.count)
        for (before, after) in [
            (options.policy as Any, changed.policy as Any), (options.uploads as Any, changed.uploads as Any),
            (options as Any, changed as Any),
        ] {
            for (old, new) in zip(Mirror(reflecting: before).children, Mirror(reflecting: after).children) {
                guard let label = old.label, !Self.commandLine.contains(label) else { continue }
                #expect("\(old.value)" != "\(new.value)", "\(label) has no setting")
            }
        }
    }

    /// Options that the command line sets, and those that only tests set.
    private static let commandLine: Set<String> = [
        "host", "port", "tls", "database", "publicAddress", "home", "mail", "redirects", "proxyCount", "metrics",
        "traces",
        "answerStep", "evaluator", "clock", "monotonicClock", "version", "administration", "mailTemplates", "hook",
        "objects", "workers", "rootKey", "usesHints", "catalogues",
    ]

    @Test func `the environment goes before credentials and the file`() throws {
        let credentials = home.path + "/credentials"
        try FileManager.default.createDirectory(atPath: credentials, withIntermediateDirectories: true)
        for (name, text) in [("account_results", "3\n"), ("setting_smtp_password", "a secret\n"), ("sign_up", "false")]
        {
            try Data(text.utf8).write(to: URL(filePath: credentials + "/" + name))
        }
        let json = #"{"account_bytes": 5000, "account_recordings": 7, "account_results": 9, "link_seconds": 60}"#
        let environment = ["CREDENTIALS_DIRECTORY": credentials, "PARLEY_SERVER_ACCOUNT_BYTES": "6000"]
        let options = try options(json, environment)
        #expect(options.uploads.quotaBytes == 6_000 && options.uploads.maximumCount == 7)
        #expect(options.maximumResults == 3 && options.policy.linkLifetime == .seconds(60))
        #expect(!options.policy.allowsSignUp && options.policy.codeLifetime == AuthPolicy().codeLifetime)
        let configuration = try ServerConfiguration(file: nil, environment: environment)
        #expect(configuration.text("smtp_password") == "a secret" && configuration.text("smtp_user") == nil)
        let key = credentials + "/tls.key"
        try Data("-----".utf8).write(to: URL(filePath: key))
        #expect(throws: SettingError(credentials + ": tls.key", "is not a setting. Run: parley-server settings")) {
            try ServerConfiguration(file: nil, environment: environment)
        }
        #expect(throws: Never.self) { try ServerConfiguration(file: nil, environment: environment, usedPaths: [key]) }
    }

    @Test func `a credential that a command's option names is not a setting`() throws {
        let credentials = home.path + "/credentials"
        try FileManager.default.createDirectory(atPath: credentials, withIntermediateDirectories: true)
        let path = credentials + "/x"
        try Data(String(repeating: "5a", count: 32).utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let bucket = "s3://bucket/x?endpoint=http://127.0.0.1:1&region=x"
        let nowhere = home.path + "/nowhere"
        for words in [
            ["keys", "rotate", "--home", nowhere, "--key-file", path],
            ["restore", nowhere, "--home", home.path, "--objects", bucket, "--objects-credentials", path],
            [
                "transfer", "--from", "sqlite:" + nowhere, "--to", "postgres://nobody@127.0.0.1:1/x",
                "--objects-from", "folder:" + nowhere, "--objects-to", bucket, "--objects-to-credentials", path,
            ],
        ] {
            let run = try ServerProcess.run(words, environment: ["CREDENTIALS_DIRECTORY": credentials])
            #expect(run.code != 2 && !run.errors.contains("is not a setting"), "\(words): \(run.errors)")
        }
    }

    @Test(arguments: [
        (#"{"acount_bytes": 1}"#, "server.json: acount_bytes: is not a setting. Run: parley-server settings"),
        (
            #"{"account_bytes": "much"}"#,
            "server.json: account_bytes: takes a whole number from 1024 to 1125899906842624."
        ),
        (#"{"account_bytes": -1}"#, "server.json: account_bytes: takes a whole number from 1024 to 1125899906842624."),
        (#"{"account_bytes": 1.5}"#, "server.json: account_bytes: takes a number, a text, true or false."),
        (#"{"account_bytes": null}"#, "server.json: account_bytes: takes a number, a text, true or false."),
        (
            #"{"account_bytes": true}"#,
            "server.json: account_bytes: takes a whole number from 1024 to 1125899906842624."
        ),
        (#"{"sign_up": "yes"}"#, "server.json: sign_up: takes true or false."),
        (#"{"sign_up": 1}"#, "server.json: sign_up: takes true or false."),
        (#"{"smtp_user": ""}"#, "server.json: smtp_user: takes a text that is not empty."),
        (#"{"smtp_user": [1]}"#, "server.json: smtp_user: takes a number, a text, true or false."),
        ("[]", "server.json: takes one JSON object: names and values."),
        ("{", "server.json: is not JSON. Check quotes, commas and braces."),
        ("", "server.json: is not JSON. Check quotes, commas and braces."),
    ])
    func `a mistake in the file is named`(_ text: String, _ expected: String) throws {
        #expect(try complaint(text) == expected)
    }

    @Test func `a password that everybody can read is refused`() throws {
        let text = #"{"smtp_password": "hunter2hunter2"}"#
        #expect(
            try complaint(text, mode: 0o644)
                == "server.json: holds smtp_password, and everybody on this machine can read it. Run: chmod o= server.json"
        )
        #expect(try complaint(text, mode: 0o640) == nil)
        #expect(try complaint(#"{"account_results": 1}"#, mode: 0o644) == nil)
    }

    @Test(arguments: ["PARLEY_SERVER_ACCOUNT_RESULT", "PARLEY_SERVER_sign_up"])
    func `an unknown variable is an error`(_ name: String) throws {
        #expect(throws: SettingError("$" + name, "is not a setting. Run: parley-server settings")) {
            try ServerConfiguration(file: nil, environment: [name: "1", "PARLEY_SERVER_HOME": "/x", "PARLEY_X": ""])
        }
    }

    @Test func `a mistake on the command line is one line`() throws {
        for (words, expected) in [
            (
                ["serve", "--dev", "--port", "99999"],
                "--port takes a whole number from 0 to 65535, not \"99999\". Run: parley-server serve"
            ),
            (
                ["serve", "--prot", "1"],
                "There is no option --prot. Did you mean --port? Run: parley-server serve"
            ),
            (["swerve"], "There is no command \"swerve\". Did you mean serve? Run: parley-server"),
            (
                ["serve", "--dev", "--log-level", "loud"],
                "--log-level cannot be \"loud\". Choose one of: trace, debug, info, notice, warning, error, critical. "
                    + "Run: parley-server serve"
            ),
            (
                ["serve", "--dev", "--log-format", "xml"],
                "--log-format cannot be \"xml\". Choose one of: text, json. Run: parley-server serve"
            ),
            (
                ["serve", "--dev", "--hook-url", "http://hook.example.org/"],
                "--hook-url takes https://HOST/PATH, or http://127.0.0.1:PORT/PATH, not \"http://hook.example.org/\". "
                    + "Run: parley-server serve"
            ),
            (
                ["serve", "--dev", "--smtp", "smtp://ada:secret@mail.example.org", "--sender", "a@example.org"],
                "--smtp takes no user name and no password: use the settings smtp_user and smtp_password. "
                    + "Run: parley-server serve"
            ),
            (["serve"], "Give --smtp URL and --sender ADDRESS, or --mail DIR. Run: parley-server serve"),
        ] {
            let run = try ServerProcess.run(words)
            #expect(run.code == 2 && run.output.isEmpty)
            #expect(run.errors == "parley-server: \(expected) --help\n")
        }
        let config = try file(#"{"x": 1}"#)
        let run = try ServerProcess.run(["serve", "--dev", "--home", home.path, "--config", config])
        #expect(run.code == 2)
        #expect(run.errors == "parley-server: \(config): x: is not a setting. Run: parley-server settings\n")
    }
}
