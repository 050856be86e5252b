// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import FoundationEssentials
import TerminalKit

/// The server that a command of the account is for.
///
/// `--server` has precedence, then `PARLEY_SERVER`, then the server of the last requested mail.
struct AccountOptions: Sendable {
    /// The option of every command of the account.
    static let server = ValueOption<String>(
        "server", placeholder: "URL",
        help: "The auth server; by default $PARLEY_SERVER, else the one that you signed in to last")
    /// The options that only `parley sign-in` takes; the other commands read what it kept.
    static let deciding: [any CommandOption] = [apiKey, SecretStoreChoice.store]

    private static let apiKey = ValueOption<String>(
        "api-key", placeholder: "NAME",
        help: "The secret that is the server's API key (parley secrets set NAME); $PARLEY_API_KEY overrides it")

    private let server: String?
    private let apiKey: String?
    private let store: SecretStoreChoice.Kind?
    private let command: CommandSpecification
    private let takesServer: Bool

    /// The server that is known without options of the command line.
    init(for command: CommandSpecification) {
        (server, apiKey, store, self.command, takesServer) = (nil, nil, nil, command, false)
    }

    init(_ invocation: Invocation) {
        (takesServer, server) = (true, invocation[Self.server])
        apiKey = invocation.declares(Self.apiKey) ? invocation[Self.apiKey] : nil
        store = invocation.declares(SecretStoreChoice.store) ? invocation[SecretStoreChoice.store] : nil
        command = invocation.command
    }

    /// The settings of the command line, the environment and the kept file together.
    func settings(in app: CompositionRoot) throws -> AccountSettings {
        let variable = app.environment["PARLEY_SERVER"].flatMap { $0.isEmpty ? nil : $0 }
        let named = try (server ?? variable).map(address)
        // With the server named, a damaged file is no obstacle.
        let kept =
            named == nil ? try AccountSettings.load(from: app.paths.account) : try? .load(from: app.paths.account)
        guard let address = named ?? kept?.server else {
            guard takesServer else {
                throw DomainError.invalidInput("No server is known. To sign in: parley sign-in EMAIL --server URL")
            }
            throw UsageError("No server is known. Give --server URL, or set PARLEY_SERVER.", command: command)
        }
        let same = kept?.server == address ? kept : nil
        return AccountSettings(
            server: address, apiKey: apiKey ?? same?.apiKey, store: store ?? same?.store ?? .auto)
    }

    /// The settings; nil if no server is known and none is named, so nobody is signed in.
    func knownSettings(in app: CompositionRoot) throws -> AccountSettings? {
        let isNamed = server != nil || !(app.environment["PARLEY_SERVER"] ?? "").isEmpty
        if !isNamed, !FileManager.default.fileExists(atPath: app.paths.account) { return nil }
        return try settings(in: app)
    }

    /// The address in the one form under which its session is stored.
    private func address(_ text: String) throws(UsageError) -> String {
        guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["https", "http"].contains(scheme), let host = parts.host, !host.isEmpty
        else {
            throw UsageError(
                "\"\(text.printable)\" is no server's address. Write it whole, such as https://auth.example.org.",
                command: command)
        }
        (parts.scheme, parts.host) = (scheme, host.lowercased())
        if parts.port == (scheme == "https" ? 443 : 80) { parts.port = nil }
        while parts.path.hasSuffix("/") { parts.path.removeLast() }
        return parts.string ?? text
    }
}
