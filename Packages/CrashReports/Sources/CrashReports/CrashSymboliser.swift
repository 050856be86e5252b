// SPDX-License-Identifier: MIT

internal import CCrashReports
internal import Glibc

/// Finds the functions of a report's addresses, on this machine and without a network. Every call blocks.
///
/// `llvm-symbolizer` or else `addr2line` reads the symbols: those of a `-dbgsym` package with the build id that crashed, or
/// else those of the file itself. Without a tool or such a file, an address stays a module and an offset. The Swift runtime
/// demangles the names, so that no toolchain is needed. The tools start without any environment variable, hence without a debuginfod server to ask.
public struct CrashSymboliser: Sendable {
    /// A program that prints for each address a line with it, and then two for each call: the function and the place.
    struct Tool: Sendable {
        let program: String
        /// The arguments before the file and the addresses.
        let arguments: [String]
    }

    let tools: [Tool]
    /// The folder of symbols by build id, where Debian's `-dbgsym` packages put theirs.
    let symbolFolder: String

    /// A symboliser with the tools on the `PATH`.
    public init() {
        self.init(tools: [
            Tool(
                program: "llvm-symbolizer",
                arguments: ["--output-style=GNU", "--functions=linkage", "--no-demangle", "--inlines", "-a", "-e"]),
            Tool(program: "addr2line", arguments: ["-a", "-f", "-i", "-e"]),
        ])
    }

    init(tools: [Tool], symbolFolder: String = "/usr/lib/debug") {
        (self.tools, self.symbolFolder) = (tools, symbolFolder)
    }

    /// The report's frames, in their order.
    public func frames(of report: CrashReport) -> [SymbolisedFrame] {
        var frames = report.frames.map { frame in
            let module = report.module(of: frame.address)
            let name = module?.path.split(separator: "/").last.map(String.init)
            return SymbolisedFrame(frame: frame, module: name, offset: frame.address &- (module?.bias ?? 0))
        }
        let modules = report.frames.map { report.module(of: $0.address) }
        for module in Set(modules.compactMap { $0 }) {
            guard let file = symbolFile(of: module) else { continue }
            let indices = modules.indices.filter { modules[$0] == module }
            // A return address may be the first one of the next function: one less is in the call.
            let addresses = indices.map { frames[$0].offset &- (frames[$0].frame.kind == .counter ? 0 : 1) }
            for (index, calls) in zip(indices, calls(in: file, at: addresses)) { frames[index].calls = calls }
        }
        return frames
    }

    private func calls(in path: String, at addresses: [UInt64]) -> [[SymbolisedFrame.Call]] {
        for tool in tools {
            let words = tool.arguments + [path] + addresses.map { "0x" + String($0, radix: 16) }
            guard let output = ToolOutput.text(of: tool.program, words) else { continue }
            let calls = Self.calls(in: output)
            if calls.count == addresses.count { return calls }
        }
        return []
    }

    static func calls(in output: String) -> [[SymbolisedFrame.Call]] {
        var calls: [[SymbolisedFrame.Call]] = []
        var function: Substring?
        for line in output.split(separator: "\n") {
            if let name = function.take() {
                // Without debugging information the tools know at most a file, often another one.
                let isKnown = !line.hasPrefix("??") && !line.hasSuffix(":0") && !line.hasSuffix(":?")
                let place = isKnown ? line.split(separator: "/").last.map(String.init) : nil
                guard !name.hasPrefix("??"), !calls.isEmpty else { continue }
                calls[calls.count - 1].append(.init(function: demangled(String(name)), location: place))
            } else if line.hasPrefix("0x") {
                calls.append([])
            } else {
                function = line
            }
        }
        return calls
    }

    /// The file with the symbols of a module's build id; nil if this machine has none.
    private func symbolFile(of module: CrashReport.Module) -> String? {
        guard let id = module.buildID?.lowercased(), id.count > 2, id.allSatisfy(\.isHexDigit) else { return nil }
        let separate = "\(symbolFolder)/.build-id/\(id.prefix(2))/\(id.dropFirst(2)).debug"
        return [separate, module.path].first { Self.buildID(of: $0) == id }
    }

    private static func buildID(of path: String) -> String {
        var id = [UInt8](repeating: 0, count: 32)
        let count = crash_build_id_of_file(path, &id)
        return id[..<count].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func demangled(_ name: String) -> String {
        guard let text = swift_demangle(name, name.utf8.count, nil, nil, 0) else { return name }
        defer { free(text) }
        return String(cString: text)
    }
}
