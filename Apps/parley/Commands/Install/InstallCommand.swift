// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import FoundationEssentials
import TerminalKit

/// `parley install`: makes `parley listen` a service of the user's session, and lets the desktop open sign-in links.
struct InstallCommand: Command {
    private static let start = Flag("start", help: "Start them now and at each log-in")
    private static let print = Flag("print", help: "Show the units and write nothing")
    private static let listenOption = Positional<[String]>(
        any: "LISTEN-OPTION", help: "Options of parley listen, after --")
    static let specification = CommandSpecification(
        path: ["install"],
        summary:
            "Install parley listen and parley service as services of your session, and parley as the handler of sign-in links",
        discussion: """
            Writes two systemd user units and says how to start them; --start does that too. What stands after -- is given to
            parley listen: parley install -- --wake-word "hello computer". Also writes a .desktop file, by which the desktop
            runs parley verify for parley:// links. Installing again changes all of them. No root is needed.
            """,
        positionals: [listenOption],
        options: [
            start,
            print,
        ])

    private let arguments: [String]
    private let starts: Bool
    private let onlyPrints: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        arguments = invocation[Self.listenOption]
        starts = invocation.has(Self.start)
        onlyPrints = invocation.has(Self.print)
        // Invalid options are refused here, because `listen` would refuse them at each log-in.
        guard case .run(let listen) = try Commands.table.parse(["listen"] + arguments) else {
            throw UsageError("A service needs options that listen, not help.", command: invocation.command)
        }
        _ = try ListenCommand(listen)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let program = try Self.program()
        // With PARLEY_HOME set, the history, the sign-in and the recordings are in that folder, too.
        let home = AppPaths.home(app.environment)
        let listen = UserUnit.listen(program: program, arguments: ["listen"] + arguments, home: home)
        let sync = UserUnit.sync(program: program, home: home)
        guard !onlyPrints else {
            if !console.isJSON { try console.output.write(listen + sync) }
            try console.emit([UserUnit.listenName: listen, UserUnit.syncName: sync])
            return .done
        }
        let (units, handlerFile) = app.installedFiles
        for (file, text) in zip(units, [listen, sync]) {
            try file.write(text)
            try console.tell("Wrote \(file.path.printable).")
        }
        try handlerFile.write(
            LinkHandler.text((home.map { ["env", "PARLEY_HOME=\($0)"] } ?? []) + [program, "verify"]))
        let isRegistered = LinkHandler.register(in: handlerFile.folder)
        try console.tell(
            isRegistered
                ? "Wrote \(handlerFile.path.printable). The desktop opens sign-in links with it."
                : "Wrote \(handlerFile.path.printable). xdg-mime is not here to register it: the desktop may ask what opens "
                    + "sign-in links.")
        if starts {
            try SystemManager.run(["daemon-reload"])
            try SystemManager.run(["enable"] + units.map(\.name))
            try SystemManager.run(["restart"] + units.map(\.name))
            try console.tell("It listens. What it does: journalctl --user --unit \(UserUnit.listenName) --follow")
        } else {
            try console.tell(
                "Start them, now and at each log-in: systemctl --user daemon-reload && "
                    + "systemctl --user enable --now \(units.map(\.name).joined(separator: " "))")
        }
        try console.emit(
            InstalledOutput(
                unit: units[0].path, syncUnit: units[1].path, isStarted: starts, linkHandler: handlerFile.path,
                isLinkHandlerRegistered: isRegistered))
        return .done
    }

    /// The path of this program's file.
    static func program() throws -> String {
        do { return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") } catch {
            throw DomainError.file("The program cannot find its own file, because /proc is not mounted. Mount it.")
        }
    }
}

/// `parley uninstall`: removes the files of `parley install`.
struct UninstallCommand: Command {
    static let specification = CommandSpecification(
        path: ["uninstall"],
        summary: "Stop the services of your session, and remove what parley install wrote; nothing else is deleted")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let (units, handlerFile) = app.installedFiles
        var removed: [String] = []
        for unit in units where try unit.isInstalled() {
            // Without the session's manager, no service runs.
            try? SystemManager.run(["disable", "--now", unit.name])
            try unit.remove()
            removed.append(unit.path)
        }
        if !removed.isEmpty { try? SystemManager.run(["daemon-reload"]) }
        if try handlerFile.isInstalled() {
            try handlerFile.remove()
            LinkHandler.unregister(in: handlerFile.folder)
            try MIMEAssociations.remove(LinkHandler.fileName, for: LinkHandler.scheme, from: app.paths.mimeAssociations)
            removed.append(handlerFile.path)
        }
        for path in removed { try console.tell("Removed \(path.printable).") }
        if removed.isEmpty { try console.tell("There is nothing of parley's to remove.") }
        try console.emit(["removed": removed])
        return .done
    }
}

extension CompositionRoot {
    /// The files that parley install writes.
    var installedFiles: (units: [InstalledFile], linkHandler: InstalledFile) {
        (
            [UserUnit.listenName, UserUnit.syncName].map { InstalledFile(folder: paths.userUnits, name: $0) },
            InstalledFile(folder: paths.applications, name: LinkHandler.fileName)
        )
    }
}

private struct InstalledOutput: Encodable {
    let unit: String
    let syncUnit: String
    let isStarted: Bool
    let linkHandler: String
    let isLinkHandlerRegistered: Bool
}
