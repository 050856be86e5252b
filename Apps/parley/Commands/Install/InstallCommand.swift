// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// `parley install`: makes `parley listen` a service of the user's session, and lets the desktop open sign-in links.
struct InstallCommand: Command {
    static let specification = CommandSpecification(
        path: ["install"],
        summary: "Make parley listen a service of your session, and let the desktop open sign-in links",
        discussion: """
            Writes a systemd user unit and says how to start it; --start does that too. What stands after -- is given to
            parley listen: parley install -- --wake-word "hello computer". Also writes a .desktop file, by which the desktop
            runs parley verify for parley:// links. Installing again changes both. No root is needed.
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
        let program = try Self.program()
        let unit = UserUnit.listen(program: program, arguments: ["listen"] + arguments)
        guard !onlyPrints else {
            try console.output.write(unit)
            return .done
        }
        let (unitFile, handlerFile) = app.installedFiles
        try unitFile.write(unit)
        try console.show("Wrote \(unitFile.path.printable).")
        // Who keeps all state elsewhere has the sign-in there, too.
        let home = app.environment["PARLEY_HOME"].flatMap { $0.isEmpty ? nil : ["env", "PARLEY_HOME=\($0)"] } ?? []
        try handlerFile.write(LinkHandler.text(home + [program, "verify"]))
        let isRegistered = LinkHandler.register(in: handlerFile.folder)
        try console.show(
            "Wrote \(handlerFile.path.printable). "
                + (isRegistered
                    ? "The desktop opens sign-in links with it."
                    : "xdg-mime is not here to register it: the desktop may ask what opens sign-in links."))
        if starts {
            try SystemManager.run(["daemon-reload"])
            try SystemManager.run(["enable", UserUnit.listenName])
            try SystemManager.run(["restart", UserUnit.listenName])
            try console.show("It listens. What it does: journalctl --user --unit \(UserUnit.listenName) --follow")
        } else {
            try console.show(
                "Start it, now and at each log-in: systemctl --user daemon-reload && "
                    + "systemctl --user enable --now \(UserUnit.listenName)")
        }
        try console.emit(
            InstalledOutput(
                unit: unitFile.path, isStarted: starts, linkHandler: handlerFile.path,
                isLinkHandlerRegistered: isRegistered))
        return .done
    }

    /// This program's own file, wherever it was started from.
    private static func program() throws -> String {
        do { return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") } catch {
            throw DomainError.file("The program does not find its own file, since /proc is not there. Mount it.")
        }
    }
}

/// `parley uninstall`: takes all of it away again.
struct UninstallCommand: Command {
    static let specification = CommandSpecification(
        path: ["uninstall"],
        summary: "Stop the service of your session, and remove what parley install wrote; nothing else is deleted")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let (unitFile, handlerFile) = app.installedFiles
        var removed: [String] = []
        if try unitFile.isInstalled() {
            // Without a session's manager nothing runs that could be stopped.
            try? SystemManager.run(["disable", "--now", UserUnit.listenName])
            try unitFile.remove()
            try? SystemManager.run(["daemon-reload"])
            removed.append(unitFile.path)
        }
        if try handlerFile.isInstalled() {
            try handlerFile.remove()
            LinkHandler.unregister(in: handlerFile.folder)
            removed.append(handlerFile.path)
        }
        for path in removed { try console.show("Removed \(path.printable).") }
        if removed.isEmpty { try console.show("There is nothing of parley's to remove.") }
        try console.emit(["removed": removed])
        return .done
    }
}

extension CompositionRoot {
    /// What parley install writes.
    fileprivate var installedFiles: (unit: InstalledFile, linkHandler: InstalledFile) {
        (
            InstalledFile(folder: paths.userUnits, name: UserUnit.listenName),
            InstalledFile(folder: paths.applications, name: LinkHandler.fileName)
        )
    }
}

private struct InstalledOutput: Encodable {
    let unit: String
    let isStarted: Bool
    let linkHandler: String
    let isLinkHandlerRegistered: Bool
}
