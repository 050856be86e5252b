// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Runs one of this bundle's own tests in another process, in namespaces of its own: its network is an empty loopback
/// interface, and its resolver asks a name server there, three times for 20 seconds each.
struct TestNamespace {
    /// How long a look-up takes that nobody answers.
    static let lookUp = Duration.seconds(60)

    /// Whether this system lets a user make namespaces, tried with the very set-up that the tests get.
    static let isPermitted: Bool = {
        guard let folder = try? TemporaryFolder(), let process = try? start("true", [], in: folder) else {
            return false
        }
        return process.wait() == .exited(0)
    }()

    static let hint: Comment = "this system does not permit user, network and mount namespaces (unshare -rmn)"

    /// Runs the tests whose name matches, and returns when they have ended.
    ///
    /// - Parameters:
    ///   - filter: The test's name.
    ///   - environment: What the test finds in its environment besides this process's.
    /// - Throws: `CommandFailure` with what the process said, if a test failed.
    static func runTest(_ filter: String, environment: [String: String]) async throws {
        let folder = try TemporaryFolder()
        let command = try TestChild.command(filter)
        let result = try await start(command[0], Array(command.dropFirst()), environment, in: folder).finished()
        guard result.code == 0 else { throw CommandFailure(description: result.output) }
    }

    private static func start(
        _ program: String, _ arguments: [String], _ environment: [String: String] = [:], in folder: TemporaryFolder
    ) throws -> ChildProcess {
        try folder.write("nameserver 127.0.0.1\noptions timeout:20 attempts:3\n", to: "resolv.conf")
        try folder.write("hosts: files dns\n", to: "nsswitch.conf")
        let setUp =
            "ip link set lo up && for file in resolv.conf nsswitch.conf; do mount --bind \"$0/$file\" /etc/$file; done "
            + "&& exec \"$@\""
        return try ChildProcess(
            "unshare", ["-rmn", "/bin/sh", "-ec", setUp, folder.path, program] + arguments,
            environment: .adding(environment), errors: .output)
    }
}
