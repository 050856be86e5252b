// SPDX-License-Identifier: MIT

import CrashReports
import Diagnostics
import Glibc

/// A program that crashes: `FOLDER WAY`. It prints `ready` once the handler is installed.
@main
enum Main {
    static func main() async {
        if CommandLine.arguments[2] == "ignored" { signal(SIGABRT, SIG_IGN) }
        let (folder, way) = (CommandLine.arguments[1], CommandLine.arguments[2])
        do throws(CrashReportError) {
            try CrashReporter.install(folder: folder, version: "1.2.3")
        } catch {
            say(error.code.rawValue)
            exit(3)
        }
        let logger = Logger(category: "probe", sink: CrashLogSink(), revealsPrivate: true)
        logger.notice("crashes by \(way, privacy: .public), said \("what a person said")")
        say("ready")
        if let signal = Int32(way) { kill(getpid(), signal) }
        switch way {
        case "well": exit(0)
        case "ignored":
            kill(getpid(), SIGABRT)
            exit(0)
        case "twice-installed": printsSecondInstallation(in: folder)
        case "null": readsNothing()
        case "bus": readsBehindTheEndOfAFile()
        case "fatal": fatalError("on purpose")
        case "index": readsBehindTheEndOfAnArray([1, 2, 3])
        case "abort": aborts()
        case "jump": jumpsToNothing()
        case "async": await crashesLater()
        case "library": loadsALibraryLate()
        case "logs": for number in 0..<250 { logger.info("line \(number, privacy: .public)") }
        case "chatter": Threads.chat(in: logger)
        case "secret": holdsASecret(in: logger)
        case "descriptors": usesUpDescriptors()
        case "limit": limitsFiles(to: rlim_t(CommandLine.arguments[3]) ?? 0)
        case "removed": rmdir(folder)
        case "replaced":
            // A file is where the folder was.
            rmdir(folder)
            close(open(folder, O_CREAT | O_WRONLY, 0o600))
        case "deep": _ = descends(0)
        default: Threads.crash(way)
        }
        readsNothing()
    }
}

/// Writes a line at once; `print` keeps it in memory.
func say(_ line: String) {
    _ = Array((line + "\n").utf8).withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}

private func printsSecondInstallation(in folder: String) {
    do throws(CrashReportError) {
        try CrashReporter.install(folder: folder + "/other", version: "2")
    } catch {
        say(error.code.rawValue)
    }
}

@inline(never)
func readsNothing() {
    guard let nothing = UnsafePointer<Int>(bitPattern: 8) else { return }
    print(nothing.pointee)
}

@inline(never)
private func readsBehindTheEndOfAFile() {
    var name = Array("/tmp/parley-probe-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    unlink(name)
    ftruncate(descriptor, 4_096)
    let memory = mmap(nil, 4_096, PROT_READ, MAP_SHARED, descriptor, 0)
    ftruncate(descriptor, 0)
    print(memory?.load(as: Int.self) ?? 0)
}

@inline(never)
private func readsBehindTheEndOfAnArray(_ numbers: [Int]) {
    print(numbers[numbers.count])
}

@inline(never)
private func aborts() {
    abort()
}

@inline(never)
private func jumpsToNothing() {
    unsafeBitCast(8, to: (@convention(c) () -> Void).self)()
    print("returned")
}

@inline(never)
private func crashesLater() async {
    await Task.detached { await crashesNow() }.value
}

@inline(never)
private func crashesNow() async {
    readsNothing()
}

@inline(never)
private func loadsALibraryLate() {
    // One of glibc's own that nothing links.
    say(dlopen("libBrokenLocale.so.1", RTLD_NOW) != nil ? "loaded" : "missing")
}

/// Never returns in debug and release builds: each call needs the result of the next one.
@inline(never)
func descends(_ depth: Int) -> Int {
    var place = depth
    return withUnsafeMutablePointer(to: &place) { descends($0.pointee + 1) + $0.pointee }
}

@inline(never)
private func holdsASecret(in logger: Logger) {
    let secret = String(cString: getenv("PROBE_SECRET"))
    var copies = [secret, secret + secret]
    logger.error("the token is \(secret), the header Authorization: Bearer \(secret, privacy: .public)")
    let short = secret.utf8.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    copies.withUnsafeMutableBufferPointer { crashes(holding: short, short.byteSwapped, $0.baseAddress) }
}

@inline(never)
private func crashes(holding first: UInt64, _ second: UInt64, _ copies: UnsafeMutablePointer<String>?) {
    guard let nothing = UnsafePointer<UInt64>(bitPattern: 8) else { return }
    print(first &+ second &+ nothing.pointee, copies?.pointee ?? "")
}

private func usesUpDescriptors() {
    var limit = rlimit(rlim_cur: 64, rlim_max: 256)
    setrlimit(__rlimit_resource_t(7), &limit)
    while dup(0) >= 0 {}
}

private func limitsFiles(to bytes: rlim_t) {
    var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
    setrlimit(__rlimit_resource_t(1), &limit)
}
