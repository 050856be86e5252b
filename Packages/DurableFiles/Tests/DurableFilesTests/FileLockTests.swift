// SPDX-License-Identifier: MIT

import DurableFiles
import Glibc
import TestKit
import Testing

@Suite struct FileLockTests {
    let folder: TemporaryFolder
    var path: String { folder.file("lock") }

    init() throws { folder = try TemporaryFolder() }

    @Test func `one has the lock at a time`() throws {
        let first = try #require(try FileLock.take(path))
        #expect(try FileLock.take(path) == nil && FileLock.take(path, exclusively: false) == nil)
        first.release()
        first.release()
        let second = try FileLock.take(path)
        #expect(second != nil)
        withExtendedLifetime((first, second)) {}
    }

    @Test func `any number share it`() throws {
        let readers = try (0..<3).map { _ in try FileLock.take(path, exclusively: false) }
        #expect(readers.allSatisfy { $0 != nil })
        #expect(try FileLock.take(path) == nil)
        withExtendedLifetime(readers) {}
    }

    @Test func `a killed program gives it back`() async throws {
        // The child calls nothing but the system: other threads' locks are not its own after a fork.
        var file: OpenFile? = try OpenFile(path, O_RDWR | O_CREAT)
        let descriptor = try #require(file?.descriptor)
        let end = try await withForkedProcess {
            flock(descriptor, LOCK_EX)
            while true { pause() }
        } whileRunning: { _ in
            file = nil
            try await eventually { try FileLock.take(path) == nil }
        }
        #expect(end & 0x7F == SIGKILL)
        let lock = try await FileLock.wait(for: path, atMost: .seconds(60))
        #expect(lock != nil)
    }

    @Test func `waiting ends with the holder, with its time and with a cancellation`() async throws {
        let first = try #require(try FileLock.take(path))
        #expect(try await FileLock.wait(for: path, atMost: .milliseconds(30)) == nil)
        let waiting = Task { [path] in try await FileLock.wait(for: path, atMost: .seconds(60)) }
        let cancelled = Task { [path] in try await FileLock.wait(for: path, atMost: .seconds(60)) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        first.release()
        #expect(try await waiting.value != nil)
    }

    @Test func `a folder that is not there is an error`() {
        let error = #expect(throws: FileError.self) { try FileLock.take(folder.file("no/lock")) }
        #expect(error?.isMissing == true)
    }

    @Test func `signs are seen by others and not by oneself`() throws {
        let (mine, other) = (
            try #require(FolderSign(folder: folder.path)), try #require(FolderSign(folder: folder.path))
        )
        #expect(mine.putUp(1 << 61))
        #expect(other.isUpElsewhere(1 << 61) && !other.isUpElsewhere(5) && !mine.isUpElsewhere(1 << 61))
        #expect(other.putUp(1 << 61) && mine.isUpElsewhere(1 << 61))
        mine.takeDown(1 << 61)
        #expect(!other.isUpElsewhere(1 << 61) && mine.isUpElsewhere(1 << 61))
        #expect(FolderSign(folder: folder.file("none")) == nil)
    }
}

/// Runs `child` in a forked process, which is killed and waited for when `body` returns or throws.
///
/// - Returns: The child's status, as `waitpid` reports it.
func withForkedProcess(
    _ child: () -> Never, whileRunning body: (pid_t) async throws -> Void
) async throws -> Int32 {
    let id = forkProcess()
    if id == 0 { child() }
    try #require(id > 0)
    let result: Result<Void, any Error>
    do { result = .success(try await body(id)) } catch { result = .failure(error) }
    kill(id, SIGKILL)
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    try result.get()
    return status
}

/// fork(2), which Glibc's module hides.
@_silgen_name("fork") private func forkProcess() -> pid_t
