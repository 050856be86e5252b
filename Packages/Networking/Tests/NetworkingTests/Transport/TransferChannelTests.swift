// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import Networking

struct TransferChannelTests {
    private let head = ResponseHead(status: 200, version: .http11, headers: [:])
    private let lost = NetworkError(code: .connectionLost, message: "scripted")

    private func deliver(_ channel: TransferChannel, end: Result<Void, any Error>?) {
        var chunk: [UInt8] = [1, 2]
        _ = channel.deliver(head: head, chunk: &chunk, end: end, summary: nil, holdsBack: false)
        #expect(chunk.isEmpty)
    }

    @Test func whatCameBeforeTheFailureIsReadFirstHoweverLateTheReaderIs() async throws {
        let channel = TransferChannel()
        deliver(channel, end: .failure(lost))
        #expect(try await channel.waitForHead().status == 200)
        #expect(try await channel.waitForChunk {} == [1, 2])
        for _ in 0..<2 { await expectError(.connectionLost) { _ = try await channel.waitForChunk {} } }
    }

    @Test func cancellingDropsWhatNobodyRead() async throws {
        let channel = TransferChannel()
        deliver(channel, end: nil)
        #expect(channel.end(with: CancellationError()))
        await #expect(throws: CancellationError.self) { try await channel.waitForHead() }
        await #expect(throws: CancellationError.self) { try await channel.waitForChunk {} }
        #expect(!channel.end(with: lost))
    }

    @Test func theEndComesAfterTheLastBytesAndStays() async throws {
        let channel = TransferChannel()
        deliver(channel, end: .success(()))
        #expect(try await channel.waitForHead().status == 200)
        #expect(try await channel.waitForChunk {} == [1, 2])
        for _ in 0..<2 { #expect(try await channel.waitForChunk {} == nil) }
        #expect(channel.isOver)
    }

    @Test("a sender that is held back always hears when the reader has taken everything", .timeLimit(.minutes(5)))
    func releases() async throws {
        let channel = TransferChannel()
        let count = 5_000
        let free = DispatchSemaphore(value: 0)
        let sender = Thread {
            for number in 1...count {
                var chunk = [UInt8(truncatingIfNeeded: number)]
                let end: Result<Void, any Error>? = number == count ? .success(()) : nil
                let isDrained = channel.deliver(head: nil, chunk: &chunk, end: end, summary: nil, holdsBack: true)
                if !isDrained, number < count { free.wait() }
            }
        }
        sender.start()
        var received = 0
        while let chunk = try await channel.waitForChunk(release: { free.signal() }) { received += chunk.count }
        #expect(received == count)
    }
}
