// SPDX-License-Identifier: MIT

internal import CCrashReports
internal import DurableFiles
internal import FoundationEssentials
internal import Glibc

/// Writes a report when this program crashes. Signal handlers belong to a process, so there is no instance.
///
/// SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP and SIGSYS are handled; `fatalError`, a failed precondition and an
/// index out of range are among them. The report goes to a new file of mode 0600; a program that ends well leaves none.
/// Afterwards the earlier handlers are restored and the signal is sent again, so that the exit status, the core dump
/// and Swift's backtrace (`SWIFT_BACKTRACE=enable=yes`) stay what they were. Nothing is sent anywhere.
public enum CrashReporter {
    /// Handles crashes from now on, and deletes all but the newest reports so that a crash leaves at most
    /// ``CrashReportFolder/mostReports``. Call it once, on the main thread, before other threads start.
    ///
    /// - Parameters:
    ///   - folder: The folder of the reports; a crash makes it if it does not exist. Its path is fixed now: a later change of
    ///     the working folder has no effect.
    ///   - version: The program's version, for the report; the first 127 bytes are kept.
    /// - Throws: `alreadyInstalled`, `folderUnusable` or `systemRefused`. The program may go on without reports.
    public static func install(folder: String, version: String) throws(CrashReportError) {
        let working = FileManager.default.currentDirectoryPath
        let path = folder.hasPrefix("/") ? folder : working + "/" + folder
        guard access(path, W_OK | X_OK) == 0 || errno == ENOENT else {
            throw CrashReportError(folder: FileError("write to", path))
        }
        try CrashReportFolder(path: path).deleteOldest(keeping: CrashReportFolder.mostReports - 1)
        let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "program"
        switch crash_install(path + "/", version, program) {
        case 0: return
        case EALREADY:
            throw CrashReportError(.alreadyInstalled, "Crash reports are installed already; install them once.")
        case let number:
            throw CrashReportError(
                .systemRefused, "The system refused a handler for crashes: \(String(cString: strerror(number))).",
                underlying: FileError("install a handler for", path, number: number))
        }
    }

    /// Lets the calling thread report that its stack overflowed. Call it first on a thread of your own; the main thread
    /// has it by ``install(folder:version:)``.
    ///
    /// Each thread's other crashes are reported without it. A stack that overflows on a thread without this, such as one of
    /// Swift's concurrency pool, ends the program by SIGSEGV without a report. The 64 KiB are freed when the thread ends.
    ///
    /// - Throws: `systemRefused`.
    public static func protectThread() throws(CrashReportError) {
        let number = crash_protect_thread()
        guard number == 0 else {
            throw CrashReportError(
                .systemRefused,
                "The system refused a stack for signals: \(String(cString: strerror(number))). Free some memory.")
        }
    }
}
