// SPDX-License-Identifier: MIT

import Dispatch
import FuzzerDriver
import Persistence

/// Where the program starts. A database is longer than what the other targets read.
@_cdecl("database_main")
public func main(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    runFuzzer(count, arguments, longest: 2048) { fuzz($0, $1) }
}

/// The first byte says what the input is: a file as it is, or changes to a sound one, to its log, or its end. Whatever is
/// opened is a database or a typed error, and what was there is still there.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let first = input.first else { return 0 }
    let done = DispatchSemaphore(value: 0)
    // This is the main thread and none of Swift's, so it may wait.
    Task.detached {
        let template = await Template.made
        var files = template.files
        switch first & 3 {
        case 0: files = Files(database: Array(input.dropFirst()), log: [])
        case 1: files.database.change(by: input.dropFirst())
        case 2: files.log.change(by: input.dropFirst())
        default: files.cut(by: input.dropFirst())
        }
        if first & 4 != 0 { files.log = [] }
        await Trial(folder: template.folder, files: files).run(recovers: first & 8 != 0)
        done.signal()
    }
    done.wait()
    return 0
}
