// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
internal import Glibc

/// A child process that reads a text from its standard input; this type reads its standard output.
final class TextReader: Sendable {
    let child: RunningChild
    private let output: Int32

    /// Starts `program`, found along PATH. The input is a memory file, so a child that ends early cannot raise SIGPIPE
    /// and one that does not read cannot block.
    init(_ program: String, _ arguments: [String], input: String) throws(SpeechError) {
        let inputFile = try MemoryFile(input.utf8)
        do throws(ChildStartFailure) {
            let ends = try ChildProgram.pipe()
            defer { close(ends.write) }
            output = ends.read
            var program = ChildProgram(program, arguments)
            program.input = .descriptor(inputFile.descriptor)
            program.output = .descriptor(ends.write)
            do throws(ChildStartFailure) { child = try program.start() } catch {
                close(ends.read)
                throw error
            }
        } catch {
            throw SpeechError(
                .synthesizerMissing, "The program \(program) cannot be started. Install the package espeak-ng.",
                underlying: "\(error)")
        }
    }

    deinit { close(output) }

    /// The next bytes of the output; nil at its end. Blocks.
    func read() -> [UInt8]? {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { target, initialized in
            repeat { count = Glibc.read(output, target.baseAddress, 4096) } while count < 0 && errno == EINTR
            initialized = max(0, count)
        }
        return count > 0 ? bytes : nil
    }
}
