// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

/// Limits, quotas and secrets from outside the command line. The environment takes precedence over systemd's
/// credentials, and these over the JSON file. Every name is checked: an unknown one would silently mean a default.
public struct ServerConfiguration: Sendable {
    private static let prefix = "PARLEY_SERVER_"
    /// Variables of the command line: `PARLEY_SERVER_HOME` is the path of the home.
    private static let foreignVariables: Set<String> = ["PARLEY_SERVER_HOME"]
    /// The most bytes of a file and of a credential.
    private static let limit = 1 << 20

    private var values: [String: SettingValue] = [:]

    /// Reads the configuration.
    ///
    /// - Parameters:
    ///   - file: The path of a JSON file; nil for none.
    ///   - environment: The variables whose names begin with `PARLEY_SERVER_`, and `CREDENTIALS_DIRECTORY`.
    ///   - usedPaths: Files that the command line names. A credential among them is not a setting.
    /// - Throws: ``SettingError``.
    public init(file: String?, environment: [String: String], usedPaths: Set<String> = []) throws(SettingError) {
        if let file { try readFile(file) }
        if let folder = environment["CREDENTIALS_DIRECTORY"], !folder.isEmpty {
            try readCredentials(in: folder, except: usedPaths.union([file ?? ""]))
        }
        try readVariables(environment)
    }

    /// A text, such as `smtp_password`; nil if it is not configured.
    public func text(_ name: String) -> String? {
        if case .text(let text) = values[name] { text } else { nil }
    }

    /// Changes only the configured options.
    public func apply(to options: inout ServerOptions) {
        for setting in ServerSetting.table {
            if let value = values[setting.name] { setting.apply(value, &options) }
        }
    }

    /// The table of docs/configuration.md, in Markdown.
    public static var documentation: String {
        "| name | default | takes | meaning |\n|---|---|---|---|\n"
            + ServerSetting.table.map { $0.documentation + "\n" }.joined()
    }

    private mutating func readFile(_ path: String) throws(SettingError) {
        let bytes = try Self.read(path)
        let found: [String: SettingValue]
        do {
            found = try JSONDecoder().decode([String: SettingValue].self, from: bytes)
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            guard let name = context.codingPath.first?.stringValue else {
                throw SettingError(path, "takes one JSON object: names and values.")
            }
            _ = try Self.setting(name, at: path)
            throw SettingError("\(path): \(name)", "takes a number, a text, true or false.")
        } catch {
            throw SettingError(path, "is not JSON. Check quotes, commas and braces.")
        }
        for (name, value) in found.sorted(by: { $0.key < $1.key }) {
            let setting = try Self.setting(name, at: path)
            try setting.check(value, at: "\(path): \(name)")
            if case .text = setting.kind, Self.isReadableByOthers(path) {
                throw SettingError(
                    path, "holds \(name), and everybody on this machine can read it. Run: chmod o= \(path)")
            }
            values[name] = value
        }
    }

    private mutating func readCredentials(in folder: String, except used: Set<String>) throws(SettingError) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw SettingError(folder, "cannot be listed. Check $CREDENTIALS_DIRECTORY.")
        }
        for name in names.sorted() where !used.contains("\(folder)/\(name)") {
            let path = "\(folder)/\(name)"
            let setting = try Self.setting(Self.name(ofCredential: name), at: folder)
            var text = String(decoding: try Self.read(path), as: UTF8.self)
            // Editors end a file with a line feed that is not part of the secret.
            if text.hasSuffix("\n") { text.removeLast() }
            values[setting.name] = try setting.value(of: text, at: path)
        }
    }

    private mutating func readVariables(_ environment: [String: String]) throws(SettingError) {
        for (variable, text) in environment.sorted(by: { $0.key < $1.key })
        where variable.hasPrefix(Self.prefix) && !Self.foreignVariables.contains(variable) {
            guard let setting = ServerSetting.table.first(where: { $0.variable == variable }) else {
                throw SettingError("$\(variable)", "is not a setting. Run: parley-server settings")
            }
            values[setting.name] = try setting.value(of: text, at: "$\(variable)")
        }
    }

    /// systemd names the credentials of a folder by the folder's id and the file, as `setting_smtp_password`.
    private static func name(ofCredential name: String) -> String {
        name.hasPrefix("setting_") ? String(name.dropFirst("setting_".count)) : name
    }

    private static func setting(_ name: String, at place: String) throws(SettingError) -> ServerSetting {
        guard let setting = ServerSetting.table.first(where: { $0.name == name }) else {
            throw SettingError("\(place): \(name)", "is not a setting. Run: parley-server settings")
        }
        return setting
    }

    private static func read(_ path: String) throws(SettingError) -> Data {
        guard DiskSpace.size(of: path) <= limit else { throw SettingError(path, "is longer than 1 MiB.") }
        do {
            return try Data(contentsOf: URL(filePath: path))
        } catch {
            throw SettingError(path, "cannot be read. Check path and permissions.")
        }
    }

    private static func isReadableByOthers(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o004 != 0
    }
}
