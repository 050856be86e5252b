// SPDX-License-Identifier: MIT

import Glibc

/// Calls of glibc's that its Swift module leaves out, since its headers show them to GNU's dialect of C alone.
enum GNUCalls {
    /// Makes a pipe that no other child can inherit, not even one that is started at this moment.
    static func pipe2(_ ends: inout [Int32], _ flags: Int32) -> Int32 {
        typealias Function = @convention(c) (UnsafeMutablePointer<Int32>?, Int32) -> Int32
        guard ends.count == 2, let symbol = dlsym(nil, "pipe2") else { return -1 }
        // SAFETY: pipe2(2) has this signature since glibc 2.9, and writes two numbers.
        return unsafeBitCast(symbol, to: Function.self)(&ends, flags)
    }

    /// Makes the child begin with its three streams alone, whatever this process has open (glibc 2.34).
    static func addClosingOfOthers(_ actions: inout posix_spawn_file_actions_t) {
        typealias Function = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>?, Int32) -> Int32
        guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
        // SAFETY: the signature is glibc's.
        _ = unsafeBitCast(symbol, to: Function.self)(&actions, 3)
    }

    /// Makes the child change into a directory before it runs the program (glibc 2.29).
    static func addChangeOfDirectory(_ actions: inout posix_spawn_file_actions_t, _ directory: String) -> Bool {
        typealias Function =
            @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>?, UnsafePointer<CChar>?) -> Int32
        guard let symbol = dlsym(nil, "posix_spawn_file_actions_addchdir_np") else { return false }
        // SAFETY: the signature is glibc's, which copies the path.
        return unsafeBitCast(symbol, to: Function.self)(&actions, directory) == 0
    }
}
