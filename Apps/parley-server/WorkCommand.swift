// SPDX-License-Identifier: MIT

import CommandLineArguments
import CrashReports
import Diagnostics
import Glibc
import ParleyServer

/// `parley-server work`.
enum WorkCommand: ServerCommand {
    private static let config = ValueOption<String>(
        "config", placeholder: "FILE", help: "Limits and secrets in JSON: parley-server settings", completion: .files)
    private static let workers = ValueOption<Int>(
        "workers", placeholder: "N", help: "The number of evaluations at once (default 1)", in: 1...1_024)
    static let specification = CommandSpecification(
        path: ["work"], summary: "Evaluate recordings for servers on one database, until Ctrl-C",
        discussion: """
            Each evaluation is a process of its own, which is killed when it takes more time or memory than the settings
            evaluation_seconds, evaluation_cpu_seconds and evaluation_memory_bytes allow. Run it on any number of machines; give
            their servers --workers 0. Without --objects the home must be the servers' own folder.
            """,
        options: [ServerHome.option, ServerDatabaseURL.option, workers, config] + ServerObjects.options)

    static let handlesSignals = true

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        let environment = surroundings.environment
        let settings = try ServerConfiguration(invocation, environment, file: invocation[config])
        var options = ServerOptions(home: try ServerHome.path(invocation, environment), mail: .folder(""))
        settings.apply(to: &options)
        options.database = invocation[ServerDatabaseURL.option] ?? settings.text("database")
        guard options.database != nil else { throw invocation.error(english: "Give --database URL.") }
        options.objects = try ServerObjects.objects(invocation, settings, environment)
        options.workers = invocation[workers] ?? 1
        options.evaluator = EvaluateOneCommand.evaluator(options.evaluationLimits)
        let logger = ServerLog().logger(environment: environment, also: CrashLogSink())
        ServerCrashes.tell(invocation, environment, logger)
        let work = try await EvaluationWorkers.start(options, logger: logger)
        try? surroundings.write("{\"workers\":\(options.workers)}\n")
        for await signal in surroundings.signals.stream where signal != SIGHUP { break }
        await work.stop(grace: options.stopTime)
    }
}

/// `parley-server evaluate-one`, which `parley-server work` starts for each recording. It is not in the help.
enum EvaluateOneCommand: ServerCommand {
    private static let cpu = ValueOption<Int>(
        "cpu-seconds", placeholder: "N", help: "The computing time of this process", in: 1...Int.max)
    static let specification = CommandSpecification(
        path: ["evaluate-one"], summary: "Evaluate the recording that standard input names", options: [cpu])

    /// Starts this program for each recording.
    static func evaluator(_ limits: EvaluationLimits) -> ChildSoundEvaluator {
        // Not the file's path: after an upgrade it is another program.
        ChildSoundEvaluator(
            program: "/proc/self/exe",
            arguments: ["evaluate-one", "--cpu-seconds", "\(limits.cpuSeconds)"], memoryBytes: limits.memoryBytes)
    }

    static let handlesSignals = true

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        EvaluationLimits.apply(cpuSeconds: invocation[cpu] ?? 240)
        try await SoundEvaluationTask.run(ReadingSoundEvaluator()) { _exit(1) }
    }
}
