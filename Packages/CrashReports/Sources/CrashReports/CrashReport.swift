// SPDX-License-Identifier: MIT

/// A crash, as the handler wrote it down.
///
/// A report may end early, when the disk was full or the handler crashed itself; what there is can be used.
public struct CrashReport: Sendable, Hashable {
    /// An address on the stack of the crashed thread.
    public struct Frame: Sendable, Hashable {
        /// The way by which the handler got an address.
        public enum Kind: String, Sendable {
            /// The instruction that crashed.
            case counter
            /// A return address in the chain of frame pointers.
            case chain
            /// A return address that lay on the stack where a function of a library keeps no frame pointer. It may be left
            /// over from an earlier call.
            case found
        }

        /// The way by which the handler got it.
        public let kind: Kind
        /// The address in memory: of the instruction, or the one behind the call.
        public let address: UInt64
    }

    /// A register; nil for a value that was neither a small number nor the address of mapped memory, since short texts are
    /// kept in registers.
    public struct Register: Sendable, Hashable {
        /// The architecture's name of it.
        public let name: String
        /// Its value.
        public let value: UInt64?
    }

    /// A range of code of a program or a library that was loaded.
    public struct Module: Sendable, Hashable {
        /// Its addresses in memory.
        public let range: Range<UInt64>
        /// The difference between an address in memory and the one in the file's symbols.
        public let bias: UInt64
        /// The GNU build id in lower-case hexadecimal digits; nil if it has none.
        public let buildID: String?
        /// The file.
        public let path: String
    }

    /// The program's version, as it was given to ``CrashReporter/install(folder:version:)``.
    public internal(set) var version = ""
    /// The program's name.
    public internal(set) var program = ""
    /// The architecture: `x86_64` or `aarch64`.
    public internal(set) var architecture = ""
    /// The time of the crash, in seconds since 1970.
    public internal(set) var time: Int64 = 0
    /// The process.
    public internal(set) var process: Int64 = 0
    /// The crashed thread.
    public internal(set) var thread: Int64 = 0
    /// The crashed thread's name.
    public internal(set) var threadName = ""
    /// The signal (signal(7)).
    public internal(set) var signal: Int32 = 0
    /// The reason of the signal (`si_code` of sigaction(2)).
    public internal(set) var code: Int32 = 0
    /// The address at which the program failed; nil for a signal that was sent.
    public internal(set) var address: UInt64?
    /// The registers of the crashed thread.
    public internal(set) var registers: [Register] = []
    /// The stack of the crashed thread, newest call first; at most 128 of the chain.
    public internal(set) var frames: [Frame] = []
    /// The code that was loaded.
    public internal(set) var modules: [Module] = []
    /// The last log lines, oldest first, without private values.
    public internal(set) var log: [String] = []
    /// True if the handler wrote all of it.
    public internal(set) var isComplete = false

    /// The signal's name, such as `SIGSEGV`.
    public var signalName: String {
        let names: [Int32: String] = [
            4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 11: "SIGSEGV", 31: "SIGSYS",
        ]
        return names[signal] ?? "signal \(signal)"
    }

    /// The module with an address.
    public func module(of address: UInt64) -> Module? { modules.first { $0.range.contains(address) } }
}
