// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// `parley install`: makes `parley listen` a service of the user's session.
struct InstallCommand: Command {
    static let specification = CommandSpecification(
        path: ["install"],
        summary: "Make parley listen a service of your session, by a systemd user unit",
        discussion: """
            Writes the unit and says how to start it; --start does that too. What stands after -- is given to parley
            listen: parley install -- --wake-word "hello computer". Installing again changes it. No root is needed.
            """,
        positionals: [
            PositionalSpecification(
                name: "LISTEN-OPTION", arity: .any, help: "Options of parley listen, after --")
        ],
        options: [
            OptionSpecification(name: "start", help: "Start it now and at each log-in"),
            OptionSpecification(name: "print", help: "Show the unit and write nothing"),
        ])

    private let arguments: [String]
    private let starts: Bool
    private let onlyPrints: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        arguments = invocation.positionals
        starts = invocation.has("start")
        onlyPrints = invocation.has("print")
        // What listen would refuse, it would refuse at each log-in.
        guard
            case .run(let listen) = try ArgumentParser(commands: [ListenCommand.specification]).parse(
                ["listen"] + arguments)
        else { throw UsageError("A service needs options that listen, not help.", command: invocation.command) }
        _ = try ListenCommand(listen)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let unit = UserUnit.listen(program: try Self.program(), arguments: ["listen"] + arguments)
        guard !onlyPrints else {
            try console.output.write(unit)
            return .done
        }
        let path = app.paths.userUnits + "/" + UserUnit.listenName
        do {
            try FileManager.default.createDirectory(atPath: app.paths.userUnits, withIntermediateDirectories: true)
        } catch {
            throw DomainError.file(
                "The folder \(app.paths.userUnits.printable) cannot be made. Check who may write where it stands.")
        }
        try OutputFile.write(unit, to: path)
        try console.show("Wrote \(path.printable).")
        guard starts else {
            try console.show(
                "Start it, now and at each log-in: systemctl --user daemon-reload && "
                    + "systemctl --user enable --now \(UserUnit.listenName)")
            try console.emit(InstalledOutput(unit: path, isStarted: false))
            return .done
        }
        try SystemManager.run(["daemon-reload"])
        try SystemManager.run(["enable", UserUnit.listenName])
        try SystemManager.run(["restart", UserUnit.listenName])
        try console.show("It listens. What it does: journalctl --user --unit \(UserUnit.listenName) --follow")
        try console.emit(InstalledOutput(unit: path, isStarted: true))
        return .done
    }

    /// This program's own file, wherever it was started from.
    private static func program() throws -> String {
        do { return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") } catch {
            throw DomainError.file("The program does not find its own file, since /proc is not there. Mount it.")
        }
    }
}

/// `parley uninstall`: takes the service away again.
struct UninstallCommand: Command {
    static let specification = CommandSpecification(
        path: ["uninstall"], summary: "Stop the service of your session and remove its unit; nothing else is deleted")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let path = app.paths.userUnits + "/" + UserUnit.listenName
        guard let content = FileManager.default.contents(atPath: path) else {
            try console.show("There is no service of parley's in \(app.paths.userUnits.printable).")
            try console.emit(RemovedOutput(removed: nil))
            return .done
        }
        guard String(decoding: content, as: UTF8.self).hasPrefix(UserUnit.header) else {
            throw DomainError.file("\(path.printable) was not written by parley install. Remove it yourself.")
        }
        // Without a session's manager nothing runs that could be stopped.
        try? SystemManager.run(["disable", "--now", UserUnit.listenName])
        do { try FileManager.default.removeItem(atPath: path) } catch {
            throw DomainError.file("\(path.printable) cannot be removed. Check who may write in its folder.")
        }
        try? SystemManager.run(["daemon-reload"])
        try console.show("Removed \(path.printable).")
        try console.emit(RemovedOutput(removed: path))
        return .done
    }
}

private struct InstalledOutput: Encodable {
    let unit: String
    let isStarted: Bool
}

private struct RemovedOutput: Encodable {
    let removed: String?
}
