// SPDX-License-Identifier: MIT

/// An address on the stack with what is known of it.
public struct SymbolisedFrame: Sendable, Hashable, CustomStringConvertible {
    /// The address.
    public let frame: CrashReport.Frame
    /// The file name of the program or library; nil if the address is in none.
    public let module: String?
    /// The address in the module's symbols; the address in memory if it is in no module.
    public let offset: UInt64
    /// The function and, before it, those that the compiler inlined there, innermost first; empty if it is unknown.
    public internal(set) var calls: [Call] = []

    /// A function and a place in the sources.
    public struct Call: Sendable, Hashable, CustomStringConvertible {
        /// The function, demangled.
        public let function: String
        /// The place, such as `Turn.swift:12`; nil without debugging information.
        public let location: String?

        /// One line: `Turn.run() at Turn.swift:12`.
        public var description: String { location.map { "\(function) at \($0)" } ?? function }
    }

    /// One line: `parley+0x1f40 Turn.run() at Turn.swift:12`. An address that was found, not chained, begins with `?`.
    public var description: String {
        var text = frame.kind == .found ? "? " : ""
        text += module.map { $0 + "+" } ?? ""
        text += "0x" + String(offset, radix: 16)
        return calls.isEmpty ? text : text + " " + calls.map(\.description).joined(separator: ", inlined in ")
    }
}
