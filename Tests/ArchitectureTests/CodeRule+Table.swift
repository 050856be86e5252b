// SPDX-License-Identifier: MIT

extension CodeRule {
    private static let listener = "Packages/Concurrency/Sources/Concurrency/ListeningSocket.swift"
    /// TerminalKit, and the one file of a package below it: the level of a log line on a terminal.
    private static let mayEscape = [
        "Packages/TerminalKit/Sources/", "Packages/Diagnostics/Sources/Diagnostics/LogLine.swift",
    ]
    private static let waits = "Packages/TestKit/Sources/TestKit/Waiting.swift"
    /// The files that may let real time pass in a test.
    private static let maySleep = [
        waits,
        // The voice device's clock, and a tool that takes a while.
        "Packages/Echo/Tests/EchoTests/VoiceFaults/VoiceOverTheWireSound.swift",
        "Packages/Echo/Tests/EchoTests/VoiceFaults/VoiceOverTheWireStage.swift",
        // The pauses of a client whose server works in real time.
        "Tests/ContractTests/SyncOverHTTPTests.swift",
    ]

    static let table: [CodeRule] = [
        resumedUnderLock,
        CodeRule(
            name: "a library prints",
            reason: "standard output belongs to the app; a library logs through the Logger that it is given",
            covers: { $0.isLibrary && $0.isSwift },
            brokenLines: code(with: "rint(") { $0.contains(/(^|[^.\w])(print|debugPrint)\(/) },
            violation: library("func f() {\n    print(\"x\")\n}\n"),
            innocent: library("// print(\"x\")\nlet text = \"print(x)\"\nprinter.print(text)\nfingerprint(text)\n")),
        CodeRule(
            name: "a library ends the process",
            reason: "a fault of the input is an error that the caller handles; only a programmer's error is a "
                + "precondition",
            covers: { $0.isLibrary && $0.isSwift },
            brokenLines: code(with: "fatalError(", "abort(", "exit(") {
                $0.contains(/(^|[^.\w])(fatalError|abort|exit|_exit)\(/)
            },
            violation: library("func f() {\n    fatalError(\"x\")\n}\n"),
            innocent: library("precondition(x > 0)\n/// Never calls fatalError().\nloop.exit(1)\n")),
        CodeRule(
            name: "product code forces a try or a cast",
            reason: "it ends the process where an error could be told",
            covers: { $0.isProduct && $0.isSwift },
            brokenLines: code(with: "try!", "as!") { $0.contains(/\b(try|as)!/) },
            violation: library("let x = try! f()\n"),
            innocent: library("let x = try? f()\nlet y = !z\nlet text = \"try! again\"\n")),
        CodeRule(
            name: "an unchecked conformance gives no proof",
            reason: "the compiler does not check it, so a `// SAFETY:` comment right above it must say why it holds",
            covers: { $0.isProduct && $0.isSwift || $0.isTest && $0.isSwift },
            brokenLines: { file in
                let lines = file.lines
                return code(with: "unchecked", "unsafe") { $0.contains(/@unchecked\s+Sendable|nonisolated\(unsafe\)/) }(
                    file
                )
                .filter { number in
                    !lines[max(0, number - 9)..<number].contains { $0.contains("// SAFETY:") }
                }
            },
            violation: library("final class Box: @unchecked Sendable {\n}\n"),
            innocent: library("// SAFETY: only used on `queue`.\nfinal class Box: @unchecked Sendable {}\n")),
        CodeRule(
            name: "a library starts a task that nobody can end",
            reason:
                "an unstructured Task outlives its caller; it belongs in a type with close() or stop(), is awaited, or "
                + "is cancelled with the stream that it feeds",
            covers: { $0.isLibrary && $0.isSwift },
            brokenLines: { file in
                if file.text.contains(
                    /func (close|stop)\(|await [\w.?]+\.(value|result)|onTermination = \{ _ in \w+\.cancel\(\) \}/)
                {
                    return []
                }
                return code(with: "Task") { $0.contains(/(^|[^.\w])Task(\.detached)?\s*(\([^)]*\))?\s*\{/) }(file)
            },
            violation: library("func f() {\n    Task { await g() }\n}\n"),
            innocent: library("group.addTask { await g() }\nlet task: Task<Void, Never>?\n")),
        CodeRule(
            name: "a singleton",
            reason: "dependencies come in through initialisers, so that a test or an app can choose them",
            covers: { $0.isProduct && $0.isSwift },
            brokenLines: code(with: "static") { $0.contains(/static\s+(let|var)\s+(shared|sharedInstance)\b/) },
            violation: library("static let shared = Store()\n"),
            innocent: library("static let sharedMemoryLimit = 5\n")),
        CodeRule(
            name: "a test sleeps",
            reason: "time in tests is a manual clock: a sleep is slow on a good day and wrong on a bad one",
            covers: { $0.isTest && $0.isSwift && !maySleep.contains($0.path) },
            brokenLines: code(with: "sleep") {
                !$0.contains(/func\s+sleep/)
                    && $0.contains(
                        /(Task|Thread)\.sleep|(Continuous|Suspending)Clock\(\)\.sleep|(^|[^.\w])(u|nano)?sleep\(/)
            },
            violation: test("try await ContinuousClock().sleep(for: .seconds(1))\n"),
            innocent: test("try await clock.sleep(until: end)\nfunc sleep(until end: Instant) {}\n// usleep(1)\n")),
        CodeRule(
            name: "the time zone of FoundationEssentials",
            reason:
                "without the rest of Foundation it is GMT wherever the person is: use Date.local or SystemTimeZones",
            covers: { $0.isProduct && $0.isSwift },
            brokenLines: code(with: "TimeZone") { $0.contains(/TimeZone\.(current|autoupdatingCurrent)/) },
            violation: library("let zone = TimeZone.current\n"),
            innocent: library("let zone = SystemTimeZones()\n// TimeZone.current\n")),
        CodeRule(
            name: "a test's time limit is short",
            reason:
                "it ends what hangs, and measures nothing: a busy machine takes minutes for what is done in a second",
            covers: { $0.isTest && $0.isSwift },
            brokenLines: code(with: "timeLimit") { $0.contains(/minutes\([1-4]\)/) },
            violation: test("@Test(.timeLimit(.minutes(1)))\n"),
            innocent: test("@Suite(.timeLimit(.minutes(5)))\n@Test(.timeLimit(.minutes(15)))\n")),
        CodeRule(
            name: "a test polls by yielding",
            reason: "a loop of yields takes the processor from what it waits for, and a count of them means nothing on "
                + "a busy machine: await a signal, or use TestKit's eventually, untilCancelled and disturbOrder",
            covers: { $0.isTest && $0.isSwift && $0.path != waits },
            brokenLines: code(with: "yield") { $0.contains("Task.yield(") },
            violation: test("while !isDone { await Task.yield() }\n"),
            innocent: test("continuation.yield(1)\nawait disturbOrder(3)\n")),
        CodeRule(
            name: "a test runs a program by Foundation's Process",
            reason:
                "its waitUntilExit now and then misses the end and spins for good, and an identifier of a process that "
                + "was not started is 0, by which kill() ends the tests: use TestKit's ChildProcess",
            covers: { $0.isTest && $0.isSwift },
            brokenLines: { file in
                code(with: "Process") { $0.contains(/(^|[^.\w])Process(\(\)|\.run\()/) }(file)
                    + code(with: "waitUntilExit") { !$0.contains("Process") }(file)
            },
            violation: test("let process = Process()\n// process.waitUntilExit()\n"),
            innocent: test(
                "let child = try ChildProcess(\"ls\")\nlet parley = try ParleyProcess()\nserver.process.run()\n")),
        CodeRule(
            name: "a path of somebody's machine",
            reason: "a clone stands anywhere: use paths from the repository's root, or the environment",
            covers: { $0.path != selfPath },
            brokenLines: { file in
                // The expression is slow, and few files have one of these words.
                let folders = ["work", "root", "opt", "Users"]
                guard folders.contains(where: { file.text.has("/\($0)/") }) else { return [] }
                return text(with: "/") { $0.contains(/(^|[^\w.~}\/-])\/(work|root|opt|Users\/\w+)\//) }(file)
            },
            violation: RepositoryFile(path: "docs/x.md", text: "see\n/ro\("")ot/notes.txt\n"),
            innocent: RepositoryFile(path: "docs/x.md", text: "the /usr/share/sounds and net\("")work/opt/ folders\n")),
        CodeRule(
            name: "a comment opens with a question",
            reason:
                "a reader has thirty seconds: state the subject, as in \"True while muted.\" or \"The server's answer.\"",
            covers: { $0.isProduct && $0.isSwift },
            brokenLines: { file in
                var isFirst = true
                return file.lines.enumerated().compactMap { index, line in
                    guard line.has("///") else {
                        isFirst = true
                        return nil
                    }
                    defer { isFirst = false }
                    var words = line.drop { " /".contains($0) }
                    let isItem = words.hasPrefix("- ")
                    if isItem, let colon = words.firstIndex(of: ":") { words = words[colon...].dropFirst(2) }
                    let opens = ["What ", "How ", "Whether ", "Who ", "Where ", "Which "].contains(
                        where: words.hasPrefix)
                    return opens && (isFirst || isItem) ? index + 1 : nil
                }
            },
            violation: library(
                "/// True once.\n/// What else is said.\nlet a = 1\n/// - Parameter x: Whether it is.\nlet b = 2\n"),
            innocent: library("/// The time of\n/// What is said.\nlet a = 1\n// What\n/// - Note: The rest.\n")),
        CodeRule(
            name: "the HTTP server takes a socket constant from another module",
            reason: "the order in which the compiler loads clang modules decides where it finds the original; "
                + "SocketConstants.swift has the package's own",
            covers: { $0.path.hasPrefix("Packages/HTTPServer/Sources/HTTPServer/") },
            brokenLines: code(with: "_") {
                $0.contains(/\b((AF|SOCK|SOL|SO|IPPROTO|IPV6|TCP|MSG|SHUT)_[A-Z]+|SOMAXCONN)\b/)
            },
            violation: RepositoryFile(
                path: "Packages/HTTPServer/Sources/HTTPServer/Sample.swift", text: "bind(AF_INET)\n"),
            innocent: RepositoryFile(
                path: "Packages/HTTPServer/Sources/HTTPServer/Sample.swift",
                text: "// AF_INET\nbind(SocketConstants.ipv4)\nlet copy = cmhd_AF_INET\n")),
        CodeRule(
            name: "an escape sequence outside TerminalKit",
            reason:
                "looks are roles of TerminalKit's Theme, and what drives a terminal is its ControlSequence (ADR 0077)",
            covers: { $0.isProduct && $0.isSwift && !mayEscape.contains(where: $0.path.hasPrefix) },
            brokenLines: text(with: "u{") { $0.contains(/\\u\{0*(1|9)[Bb]\}/) },
            violation: library("// ESC\nlet red = \"\\u{1b}[31m\"\n"),
            innocent: library("let sign = \"\\u{1B6}\"\nlet escape: UInt8 = 0x1B\nconsole.styled(\"x\", .failure)\n")),
        CodeRule(
            name: "a socket that listens by code of its own",
            reason: "Concurrency's ListeningSocket is the one place that opens and accepts (ADR 0068)",
            covers: {
                $0.isSwift && $0.path != listener && ($0.path.contains("/Sources/") || $0.path.hasPrefix("Apps/"))
            },
            brokenLines: code(with: "Glibc.listen(", "Glibc.accept(", "listen(descriptor") {
                $0.contains(/\bGlibc\.(listen|accept)\(|\blisten\(descriptor\b/)
            },
            violation: library("guard bind(descriptor, address, size) == 0, listen(descriptor, 64) == 0 else {}\n"),
            innocent: library("let client = try listener.accept()\n")),
        CodeRule(
            name: "a note to do something later",
            reason: "what is not there yet belongs in an issue, where somebody sees it",
            covers: { ($0.isSwift || $0.isScript) && $0.path != selfPath },
            brokenLines: text(with: "TODO", "FIXME", "XXX") { $0.contains(/\b(TODO|FIXME|XXX)\b/) },
            violation: library("// TO\("")DO: rest\n"),
            innocent: library("// todos are a kind of list\n")),
        CodeRule(
            name: "a remote package",
            reason: "no third-party Swift package in the graph (ADR 0001)",
            covers: { $0.isManifest && !$0.path.hasPrefix("Scripts/bench.d/peers/") },
            brokenLines: text(with: "url", "id") {
                $0.contains(/\.package\s*\(.*\b(url|id)\s*:/) || $0.contains(/^\s*url:\s*"/)
            },
            violation: RepositoryFile(
                path: "Packages/New/Package.swift", text: "[\n    .package(url: \"https://example.org/x\")\n]\n"),
            innocent: RepositoryFile(path: "Package.swift", text: ".package(path: \"../Domain\")\n")),
    ]

    /// This file spells out what it looks for.
    private static let selfPath = "Tests/ArchitectureTests/CodeRule+Table.swift"

    private static func library(_ text: String) -> RepositoryFile {
        RepositoryFile(path: "Packages/Speech/Sources/Speech/Sample.swift", text: text)
    }

    private static func test(_ text: String) -> RepositoryFile {
        RepositoryFile(path: "Packages/Speech/Tests/SpeechTests/SampleTests.swift", text: text)
    }
}
