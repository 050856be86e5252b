// SPDX-License-Identifier: MIT

import TestKit

/// A failed command of a test's own servers.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
}

/// Runs a command to its end and returns its standard output.
@discardableResult
func runCommand(_ program: String, _ arguments: [String], in folder: String) throws -> String {
    let result = try ChildProcess(program, arguments, folder: folder, errors: .captured).finish()
    guard result.code == 0 else { throw CommandFailure(description: "\(program) \(arguments): \(result.errors)") }
    return result.output
}
