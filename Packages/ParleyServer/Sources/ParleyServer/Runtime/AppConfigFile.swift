// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Domain
import FoundationEssentials
import Glibc
import PracticeWire

/// The operator's flags, in `app-config.json` of the server's home. It is read again when it has changed; a file with a
/// mistake in it is only logged and changes no flag, also after a restart.
final class AppConfigFile: Sendable {
    /// The attributes that distinguish one content of the file from another without reading it.
    private struct Stamp: Equatable {
        let inode: UInt64
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

    private struct State {
        /// `.some(nil)`: there was no file. `nil`: the file was not checked yet.
        var stamp: Stamp??
        var body: [UInt8]
    }

    /// The most bytes that are read.
    private static let limit = 1 << 20

    private let path: String
    private let goodPath: String
    private let retentionDays: Int
    private let logger: Logger
    private let state: Guarded<State>

    /// - Parameter retentionDays: The value of ``Flags/serverRetentionDays``, which the file cannot change.
    init(home: String, retentionDays: Int, logger: Logger) throws {
        path = home + "/app-config.json"
        goodPath = home + "/app-config.good.json"
        self.retentionDays = retentionDays
        self.logger = logger
        state = Guarded(State(body: try Self.body(Data(#"{"flags":{}}"#.utf8), retentionDays)))
    }

    /// The configuration in the answer's form: JSON, the same bytes for the same rules.
    func body() async -> [UInt8] {
        await BlockingCall.run { [self] in state.withLock { look(&$0) } }
    }

    private func look(_ state: inout State) -> [UInt8] {
        let stamp = Self.stamp(path)
        guard state.stamp != .some(stamp) else { return state.body }
        let isFirst = state.stamp == nil
        state.stamp = .some(stamp)
        guard stamp != nil else {
            // The file was removed on purpose: the defaults apply.
            if let empty = try? Self.body(Data(#"{"flags":{}}"#.utf8), retentionDays) { state.body = empty }
            return state.body
        }
        do {
            let text = try Self.read(path)
            state.body = try Self.body(text, retentionDays)
            do { try text.write(to: URL(filePath: goodPath), options: .atomic) } catch {
                logger.error(
                    "app-config.json is used, and has no copy: \(String(describing: error), privacy: .public)")
            }
        } catch {
            logger.error(
                "app-config.json is not used, and the last good one holds: \(String(describing: error), privacy: .public)"
            )
            if isFirst, let good = try? Self.body(Self.read(goodPath), retentionDays) { state.body = good }
        }
        return state.body
    }

    private static func read(_ path: String) throws -> Data {
        guard let stamp = stamp(path), stamp.size <= limit else { throw MappingFailure("", "is longer than 1 MiB") }
        return try Data(contentsOf: URL(filePath: path))
    }

    /// - Throws: `MappingFailure` for the first invalid rule: leaving it out would silently mean the default.
    private static func body(_ text: Data, _ retentionDays: Int) throws -> [UInt8] {
        var config = try WireJSON.decode(AppConfigDTO.self, from: text)
        if let broken = config.skipped.min(by: { $0.key < $1.key }) { throw MappingFailure(broken.key, broken.value) }
        config.set(Flags.serverRetentionDays.name, to: .integer(retentionDays))
        return try WireJSON.encode(config)
    }

    private static func stamp(_ path: String) -> Stamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Stamp(
            inode: UInt64(status.st_ino), size: Int(status.st_size), seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
    }
}
