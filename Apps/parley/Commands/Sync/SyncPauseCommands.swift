// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain

/// `parley sync pause`: stops automatic exchanges.
struct SyncPauseCommand: Command {
    static let specification = CommandSpecification(
        path: ["sync", "pause"], summary: "Stop exchanging by itself until parley sync resume",
        discussion: """
            parley service exchanges nothing more, now and after a restart. Changes wait here, and parley sync now still sends
            them: you asked for it.
            """)

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try app.setSyncPaused(true)
        console.progress("Sync is paused. parley sync resume goes on; parley sync now exchanges once.")
        try console.emit(["isPaused": true])
        return .done
    }
}

/// `parley sync resume`: goes on with automatic exchanges.
struct SyncResumeCommand: Command {
    static let specification = CommandSpecification(
        path: ["sync", "resume"], summary: "Go on after parley sync pause",
        discussion: "parley service, if it runs, exchanges at once what waited.")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try app.setSyncPaused(false)
        console.progress("Sync goes on.")
        try console.emit(["isPaused": false])
        return .done
    }
}

extension CompositionRoot {
    fileprivate func setSyncPaused(_ isPaused: Bool) throws {
        var settings = try syncSettings()
        settings.isPaused = isPaused
        try settings.save(to: paths.syncSettings)
    }
}
