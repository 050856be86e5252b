// SPDX-License-Identifier: MIT

import AuthServer
import CommandLineArguments
import Concurrency
import FoundationEssentials
import ParleyServer

/// The options and the surroundings of the operator's commands.
enum Administration {
    static let json = Flag("json", help: "Write JSON instead of a table")
    static let account = Positional<String>("ACCOUNT", help: "Its id, or its whole address")
    static let options = [json] + places
    /// The options that say where a server's data is.
    static let places: [any CommandOption] =
        [ServerHome.option, ServerDatabaseURL.option, ServerRootKeyOption.option] + ServerObjects.options

    /// Opens a server's data, calls `body` and closes the data, also after an error.
    static func with(
        _ invocation: Invocation, _ surroundings: Surroundings, _ body: (ServerAdministration) async throws -> Void
    ) async throws {
        var options = ServerOptions(
            home: try ServerHome.path(invocation, surroundings.environment), mail: .folder(""))
        let settings = try ServerConfiguration(invocation, surroundings.environment)
        settings.apply(to: &options)
        options.database = invocation[ServerDatabaseURL.option] ?? settings.text("database")
        options.rootKey = try ServerRootKeyOption.key(invocation, settings)
        options.objects = try ServerObjects.objects(invocation, settings, surroundings.environment)
        let administration = try await ServerAdministration.open(
            options, logger: ServerLog().logger(environment: surroundings.environment))
        try await withCleanup {
            try await body(administration)
        } cleanup: {
            await administration.close()
        }
    }

    /// Writes a report as JSON, or as the text that a person reads.
    static func write(
        _ report: some Encodable, _ invocation: Invocation, _ surroundings: Surroundings,
        text: @autoclosure () -> String
    ) throws {
        guard invocation.has(json) else { return try surroundings.write(text()) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        try surroundings.write(String(decoding: encoder.encode(report), as: UTF8.self) + "\n")
    }

    static func table(of accounts: [AccountReport]) -> String {
        var table = ReportTable("ID", "ADDRESS", "CREATED", "FIRST SIGN-IN", "BLOCKED UNTIL")
        for account in accounts {
            table.add(account.id, account.email, account.createdAt, account.confirmedAt, account.bannedUntil)
        }
        return table.text
    }
}
