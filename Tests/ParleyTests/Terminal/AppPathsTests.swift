// SPDX-License-Identifier: MIT

import Domain
import Foundation
import StructuredJSON
import TestKit
import Testing

@testable import parley

@Suite struct AppPathsTests {
    @Test(arguments: [
        (["PARLEY_HOME": "/p", "XDG_DATA_HOME": "/x", "HOME": "/h"], "/p/data/conversations.sqlite"),
        (["XDG_DATA_HOME": "/x", "HOME": "/h"], "/x/parley/conversations.sqlite"),
        (["XDG_DATA_HOME": "relative", "HOME": "/h"], "/h/.local/share/parley/conversations.sqlite"),
        (["XDG_DATA_HOME": "", "PARLEY_HOME": "", "HOME": "/h"], "/h/.local/share/parley/conversations.sqlite"),
    ])
    func theDatabaseIsWhereTheEnvironmentSays(_ environment: [String: String], _ expected: String) throws {
        #expect(try AppPaths(environment: environment).conversations == expected)
    }

    @Test(arguments: [[:], ["HOME": ""], ["HOME": "relative"]])
    func `without a home in the environment the password file's counts`(_ environment: [String: String]) throws {
        let paths = try AppPaths(environment: environment) { "/home/ada" }
        #expect(paths.conversations == "/home/ada/.local/share/parley/conversations.sqlite")
        #expect(try AppPaths(environment: environment).data.hasPrefix("/tmp/") == false)
    }

    @Test(arguments: [nil, "", "relative"])
    func `without any home folder nothing is used`(_ home: String?) {
        #expect(throws: DomainError.self) { try AppPaths(environment: [:]) { home } }
    }

    @Test func `both folders are made for their owner alone`() throws {
        let folder = try TemporaryFolder()
        let paths = try AppPaths(environment: ["PARLEY_HOME": folder.file("home"), "HOME": folder.path])
        for (path, make) in [(paths.data, paths.makeDataFolder), (paths.configuration, paths.makeConfigurationFolder)] {
            try make()
            try make()
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o700)
            try FileManager.default.removeItem(atPath: path)
            try Data().write(to: URL(filePath: path))
            let error = #expect(throws: DomainError.self) { try make() }
            #expect(error?.code == "file")
        }
    }

    @Test func `folders that others can read are closed`() throws {
        let folder = try TemporaryFolder()
        let paths = try AppPaths(environment: ["PARLEY_HOME": folder.path, "HOME": folder.path])
        try FileManager.default.createDirectory(
            atPath: paths.data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        paths.closeFolders()
        let mode = try FileManager.default.attributesOfItem(atPath: paths.data)[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }
}

@Suite struct OwnFileTests {
    private let parent: TemporaryFolder
    private var folder: String { parent.path }
    private var path: String { folder + "/mcp.json" }

    init() throws { parent = try TemporaryFolder() }

    private func make(_ mode: Int, folder folderMode: Int = 0o700) throws {
        try Data("{}".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        try FileManager.default.setAttributes([.posixPermissions: folderMode], ofItemAtPath: folder)
    }

    @Test func `settings that others can write are refused`() throws {
        let file = SettingsFile(path: path, remedy: "")
        #expect(try file.load().isEmpty)
        for (mode, folderMode) in [(0o620, 0o700), (0o602, 0o700), (0o600, 0o777), (0o600, 0o720)] {
            try make(mode, folder: folderMode)
            #expect {
                try file.load()
            } throws: {
                ($0 as? DomainError)?.message.contains("chmod go-w '\(folder)") == true
            }
        }
        try make(0o644)
        #expect(try file.load().isEmpty)
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can give files away."))
    func `another user's settings are refused`() throws {
        try make(0o600)
        chown(path, 65_534, 65_534)
        #expect(throws: DomainError.self) { try AccountSettings.load(from: path) }
        #expect(throws: DomainError.self) { try RecordingLimit.load(from: path) }
        #expect(throws: DomainError.self) { try SettingsFile(path: path, remedy: "").load() }
    }
}
