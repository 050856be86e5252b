// SPDX-License-Identifier: MIT

public import DurableFiles
import FoundationEssentials
import Glibc

/// The newest traces of this home, a line of OTLP JSON each.
///
/// Several processes may write: a line is one write(2) at the file's end. Only a process that finds the file too large writes it anew; a
/// line that another one adds at that moment may be lost.
public struct TraceFile: Sendable, Hashable {
    /// The path.
    public let path: String
    /// The most lines that are kept, and the most traces that are read.
    public let mostTraces: Int
    private let mostBytes: Int

    /// A file. Its folder is made, for its owner alone, with the first line; the folder above it has to be there.
    ///
    /// - Parameter mostTraces: 100 by default. The file has 4 KB for each of them, at most.
    public init(path: String, mostTraces: Int = 100) {
        (self.path, self.mostTraces, mostBytes) = (path, max(1, mostTraces), 4_096 * max(1, mostTraces))
    }

    /// Adds spans of a trace. Blocks.
    ///
    /// - Throws: `FileError`; the trace is lost then.
    public func append(_ trace: Trace) throws(FileError) {
        guard let json = try? OTLPTraces.json(of: [trace]) else { return }
        mkdir(DurableFile.folder(of: path), 0o700)
        let file = try OpenFile(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW)
        try file.write(Array(json) + [UInt8(ascii: "\n")])
        let size = try file.size()
        // Every line is longer than that, so that a small file need not be read.
        guard size > 256 * mostTraces else { return }
        let lines = try self.lines()
        guard lines.count > mostTraces || size > mostBytes else { return }
        // Fewer than there may be, so that this is seldom.
        try DurableFile.replace(path, with: newest(lines, below: mostBytes / 2).joined(), isDurable: false)
    }

    /// The traces, oldest first; what was added to one at several times is together. A line that is damaged is left out. Blocks.
    ///
    /// - Throws: `FileError` if a file is there that cannot be read.
    public func traces() throws(FileError) -> [Trace] {
        var traces: [Trace] = []
        for line in try lines() {
            for trace in OTLPTraces.traces(in: Data(line)) ?? [] {
                guard let index = traces.firstIndex(where: { $0.id == trace.id && $0.service == trace.service }) else {
                    traces.append(trace)
                    continue
                }
                let ids = Set(trace.spans.map(\.id))
                traces[index].spans = traces[index].spans.filter { !ids.contains($0.id) } + trace.spans
            }
        }
        return traces.suffix(mostTraces)
    }

    /// The lines with their ends; none without a file.
    private func lines() throws(FileError) -> [ArraySlice<UInt8>] {
        let bytes: [UInt8]
        do {
            // A file that another program lets grow costs no more memory than that.
            bytes = try OpenFile(path, O_RDONLY | O_NOFOLLOW).contents(limit: 4 * mostBytes) ?? []
        } catch {
            guard error.isMissing else { throw error }
            return []
        }
        return bytes.split(separator: UInt8(ascii: "\n")).map {
            bytes[$0.startIndex...min($0.endIndex, bytes.count - 1)]
        }
    }

    private func newest(_ lines: [ArraySlice<UInt8>], below bytes: Int) -> [ArraySlice<UInt8>] {
        var rest = bytes
        let kept = lines.suffix(max(1, mostTraces * 3 / 4)).reversed().prefix { line in
            rest -= line.count
            return rest >= 0
        }
        return kept.reversed()
    }
}
