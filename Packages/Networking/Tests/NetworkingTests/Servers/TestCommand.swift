// SPDX-License-Identifier: MIT

import Foundation

/// A failed command of a test's own servers.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
}

/// Runs a command to its end and returns its standard output.
@discardableResult
func runCommand(_ path: String, _ arguments: [String], in folder: String) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder)
    let output = Pipe.uninherited()
    let errors = folder + "/command.err"
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        let text = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
        throw CommandFailure(description: "\(path) \(arguments): \(text)")
    }
    return data
}
