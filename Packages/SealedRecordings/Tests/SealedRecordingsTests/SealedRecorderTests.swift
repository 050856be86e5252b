// SPDX-License-Identifier: MIT

import AudioKitLinux
import Concurrency
import Diagnostics
import Foundation
import SealedRecordings
import Testing

/// The recorder over a virtual card's real PCM handles.
@Suite struct SealedRecorderTests {
    private let folder: RecordingTestFolder

    init() throws { folder = try RecordingTestFolder() }

    private var configuration: SealedRecorder.Configuration {
        var configuration = SealedRecorder.Configuration()
        configuration.format = .speech
        configuration.availableBytes = { _ in 1 << 40 }
        return configuration
    }

    /// A microphone that hears `sound`, faster than it is.
    private func card(_ sound: AudioBuffer, speed: Double = 20) throws -> VirtualCard {
        try VirtualCard(format: sound.format, speed: speed, capture: .samples(sound), playback: nil)
    }

    private func start(
        _ card: VirtualCard, _ configuration: SealedRecorder.Configuration, as name: String = "one"
    ) async throws(RecordingError) -> RecordingSession {
        try await SealedRecorder(device: .virtual(card), configuration: configuration).start(
            at: folder.file(name), id: name, key: folder.key, startedAt: RecordingTestFolder.start)
    }

    private func sound(of name: String = "one") async throws -> AudioBuffer {
        try await wholeSound(try await folder.open(name))
    }

    @Test(arguments: [SoundFileEncoding.flac16, .oggOpus], [16_000, 48_000])
    func whatIsHeardIsKept(_ encoding: SoundFileEncoding, _ rate: Int) async throws {
        let format = AudioFormat(sampleRate: rate)
        let heard = recordedSound(frames: rate * 3, format: format, seed: 1)
        var configuration = configuration
        configuration.format = format
        configuration.encoding = encoding
        let session = try await start(card(heard), configuration)
        var durations: [Duration] = []
        var summaries: [RecordingSummary] = []
        for await event in session.events {
            switch event {
            case .progress(let progress):
                #expect(!progress.isPaused && progress.level.peak > -30 && progress.level.rms > -40)
                #expect(progress.remaining ?? .zero > .zero)
                durations.append(progress.duration)
            case .ended(let summary): summaries.append(summary)
            }
        }
        #expect(durations == durations.sorted() && durations.last == .seconds(3))
        let summary = try #require(summaries.first)
        #expect(summaries.count == 1)
        guard case .soundEnded = summary.ending else { return #expect(Bool(false), "\(summary.ending)") }
        let recording = try #require(summary.recording)
        #expect(recording.isComplete && recording.duration == .seconds(3))
        #expect(try await folder.open("one").recording == recording)
        if encoding.isLossless { #expect(try await sound() == heard) }
        #expect(await session.finish().recording == recording)
    }

    @Test func aRestLeavesOutWhatIsHeardMeanwhile() async throws {
        let heard = recordedSound(frames: 160_000, seed: 2)
        // Slow enough for who looks at the file while it rests.
        let session = try await start(card(heard, speed: 4), configuration)
        var restedAt: Duration?
        var rests = 0
        for await event in session.events {
            guard case .progress(let progress) = event else { continue }
            if !progress.isPaused, restedAt == nil, progress.duration >= .milliseconds(1_500) { session.pause() }
            guard progress.isPaused else { continue }
            // The meter goes on, the recording does not, and what there is can be read already.
            #expect(progress.level.peak > -30)
            #expect(restedAt == nil || restedAt == progress.duration)
            restedAt = progress.duration
            rests += 1
            if rests == 3 {
                try folder.write(folder.bytes(of: "one"), to: "now")
                let left = try await folder.open("now", id: "one")
                #expect(left.frameCount >= AudioFormat.speech.frames(in: progress.duration) - 4_097)
            }
            if rests == 20 { session.resume() }
        }
        let pause = AudioFormat.speech.frames(in: try #require(restedAt))
        let recorded = try await sound()
        #expect(rests >= 20)
        #expect(recorded.frameCount <= 160_000 - 20 * 320)
        #expect(recorded.frames(0..<pause) == heard.frames(0..<pause))
        let rest = recorded.frameCount - pause
        #expect(recorded.frames(pause..<recorded.frameCount) == heard.frames(160_000 - rest..<160_000))
    }

    @Test func aDeviceThatGoesEndsItAndKeepsIt() async throws {
        let heard = recordedSound(frames: 1_600_000, seed: 3)
        let card = try card(heard)
        let session = try await start(card, configuration)
        for await event in session.events {
            if case .progress(let progress) = event, progress.duration >= .seconds(1) { card.inject(.unplug) }
        }
        let summary = await session.summary()
        guard case .deviceLost(let error) = summary.ending else { return #expect(Bool(false), "\(summary.ending)") }
        #expect(error.code == .unplugged)
        let recording = try #require(summary.recording)
        #expect(recording.isComplete && recording.duration >= .seconds(1))
        let recorded = try await sound()
        #expect(recorded == heard.frames(0..<recorded.frameCount))
        #expect(recorded.frameCount == recording.frameCount)
    }

    @Test func `a device that goes lets it rest, and it goes on with another`() async throws {
        let heard = recordedSound(frames: 1_600_000, seed: 6)
        let (first, second) = (try card(heard), try card(heard))
        let (losses, lost) = AsyncStream.makeStream(of: AudioError.Code.self)
        let session = try await SealedRecorder(device: .virtual(first), configuration: configuration).start(
            at: folder.file("one"), id: "one", key: folder.key, startedAt: RecordingTestFolder.start
        ) { error in
            lost.yield(error.code)
            return .virtual(second)
        }
        let watching = Task {
            for await event in session.events {
                guard case .progress(let progress) = event else { continue }
                if progress.duration >= .seconds(1) { first.inject(.unplug) }
                if progress.duration >= .seconds(3) { return }
            }
        }
        for await code in losses {
            #expect(code == .unplugged)
            break
        }
        session.resume()
        await watching.value
        let recording = try #require(await session.finish().recording)
        #expect(recording.isComplete && recording.duration >= .seconds(3))
        #expect(try await sound().frameCount == recording.frameCount)
    }

    @Test func itEndsAtItsLimitAndByTheButton() async throws {
        let heard = recordedSound(frames: 1_600_000, seed: 4)
        var limited = configuration
        limited.limit = .milliseconds(1_205)
        let first = try await start(card(heard), limited)
        guard case .limitReached = await first.summary().ending else { return #expect(Bool(false)) }
        #expect(try await sound() == heard.frames(0..<19_280))

        let second = try await start(card(heard), configuration, as: "two")
        for await event in second.events {
            if case .progress(let progress) = event, progress.duration >= .seconds(1) { break }
        }
        let summary = await second.finish()
        guard case .finished = summary.ending else { return #expect(Bool(false), "\(summary.ending)") }
        #expect(summary.recording?.duration ?? .zero >= .seconds(1))
        let recorded = try await sound(of: "two")
        #expect(recorded == heard.frames(0..<recorded.frameCount))
    }

    @Test func withTooLittleSpaceItDoesNotBegin() async throws {
        var configuration = configuration
        configuration.reservedByteCount = 1 << 20
        for (available, begins) in [((1 << 20) + 10 * 36_096 - 1, false), ((1 << 20) + 10 * 36_096, true)] {
            configuration.availableBytes = { _ in available }
            let heard = recordedSound(frames: 16_000, seed: 5)
            let code = await recordingCode { _ = await (try await start(card(heard), configuration)).summary() }
            #expect(code == (begins ? nil : .tooLittleSpace))
            #expect(folder.names == (begins ? ["one"] : []))
        }
    }

    @Test func whenTheSpaceIsUsedUpItEndsInOrder() async throws {
        let heard = recordedSound(frames: 1_600_000, seed: 6)
        // A disk that loses ten seconds' worth each time somebody looks.
        let free = SpaceOnDisk((64 << 20) + 36_096 * 45)
        var configuration = configuration
        configuration.availableBytes = { _ in free.look(36_096 * 10) }
        let session = try await start(card(heard), configuration)
        var remaining: [Duration] = []
        for await event in session.events {
            if case .progress(let progress) = event, let left = progress.remaining { remaining.append(left) }
        }
        let summary = await session.summary()
        guard case .spaceUsedUp = summary.ending else { return #expect(Bool(false), "\(summary.ending)") }
        #expect(remaining == remaining.sorted(by: >) && remaining.last == .zero)
        #expect(summary.recording?.isComplete == true)
        let recorded = try await sound()
        #expect(recorded == heard.frames(0..<recorded.frameCount) && recorded.frameCount < 160_000)
    }

    @Test func clippedSamplesAreCounted() async throws {
        var samples = [Int16](repeating: 100, count: 32_000)
        for index in stride(from: 0, to: 32_000, by: 1_000) { samples[index] = index % 2_000 == 0 ? 32_767 : -32_768 }
        let session = try await start(card(AudioBuffer(int16: samples, format: .speech)), configuration)
        var clipped = 0
        for await event in session.events {
            guard case .progress(let progress) = event else { continue }
            #expect(progress.clippedSamples >= clipped)
            clipped = progress.clippedSamples
        }
        #expect(clipped == 32)
    }

    @Test func whatIsDiscardedIsGone() async throws {
        let session = try await start(card(recordedSound(frames: 1_600_000, seed: 7)), configuration)
        #expect(folder.names == ["one"])
        try await session.discard()
        #expect(folder.names == [])
        try await session.discard()
    }

    @Test func whatCannotBeginLeavesNothing() async throws {
        let heard = recordedSound(frames: 16_000, seed: 8)
        try folder.write("mine".utf8, to: "taken")
        #expect(await recordingCode { _ = try await start(card(heard), configuration, as: "taken") } == .alreadyExists)
        #expect(await recordingCode { _ = try await start(card(heard), configuration, as: "no/one") } == .notFound)
        let deaf = try VirtualCard(format: .speech, capture: nil, playback: .memory)
        do {
            _ = try await start(deaf, configuration)
            #expect(Bool(false), "a card without a microphone was recorded")
        } catch {
            #expect(error.code == .device && error.device != nil)
        }
        var wav = configuration
        wav.encoding = .wavPCM16
        #expect(await recordingCode { _ = try await start(card(heard), wav) } == .formatNotSupported)
        #expect(folder.names == ["taken"])
        #expect(try folder.bytes(of: "taken") == Array("mine".utf8))
    }

    /// A session that nobody holds any more ends, and its recording is complete.
    @Test func aSessionThatIsReleasedEnds() async throws {
        let heard = recordedSound(frames: 1_600_000, seed: 9)
        let events = try await start(card(heard), configuration).events
        var ending: RecordingSummary?
        for await event in events { if case .ended(let summary) = event { ending = summary } }
        guard case .finished = ending?.ending else { return #expect(Bool(false), "\(String(describing: ending))") }
        // It may have ended before there was any sound; then there is no file.
        #expect((ending?.recording == nil) == folder.names.isEmpty)
    }
}

/// Free space that gets less with each look.
private final class SpaceOnDisk: Sendable {
    private let bytes: Guarded<Int>

    init(_ count: Int) { bytes = Guarded(count) }

    func look(_ less: Int) -> Int {
        bytes.withLock { bytes in
            defer { bytes -= less }
            return bytes
        }
    }
}
