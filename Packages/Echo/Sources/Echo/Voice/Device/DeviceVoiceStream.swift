// SPDX-License-Identifier: MIT
internal import AudioKitLinux
internal import Diagnostics

/// A capture and a playback stream as one ``VoiceStream``.
///
/// Its tasks hold the streams and not this object: dropping it without ``close()`` ends them too, a moment later.
final class DeviceVoiceStream: VoiceStream {
    let events: AsyncThrowingStream<VoiceDeviceEvent, any Error>

    private let outlet: VoiceOutlet
    private let capture: AudioCapture
    private let playback: AudioPlayback
    private let loudspeaker: VoiceLoudspeaker
    private let tasks: [Task<Void, Never>]

    private init(
        capture: AudioCapture, playback: AudioPlayback, options: VoiceDeviceOptions, input: FileMicrophone?
    ) {
        let outlet = VoiceOutlet()
        let announcements = playback.announcements()
        self.outlet = outlet
        self.capture = capture
        self.playback = playback
        events = outlet.events
        loudspeaker = VoiceLoudspeaker(playback, period: options.period, outlet: outlet)
        outlet.sendRoute(Self.route(capture, playback))
        tasks = [
            Task { await Self.listen(to: capture, announcements, options: options, input: input, outlet: outlet) },
            Task { await Self.follow(capture.events, capture, playback, outlet) },
            Task { await Self.follow(playback.events, capture, playback, outlet) },
        ]
    }

    deinit {
        for task in tasks { task.cancel() }
        outlet.finish()
    }

    /// Opens both devices at the same time. Throws `EchoError.audioError(_:)` and `CancellationError`.
    static func open(
        capture: AudioDevice, playback: AudioDevice, options: VoiceDeviceOptions, input: FileMicrophone?,
        logger: Logger
    ) async throws -> DeviceVoiceStream {
        async let microphone = start(capture, options, logger) as Result<AudioCapture, AudioError>
        async let loudspeaker = start(playback, options, logger) as Result<AudioPlayback, AudioError>
        switch (await microphone, await loudspeaker) {
        case (.success(let capture), .success(let playback)):
            guard !Task.isCancelled else {
                await capture.stop()
                await playback.stop()
                throw CancellationError()
            }
            return DeviceVoiceStream(capture: capture, playback: playback, options: options, input: input)
        case (.failure(let error), let other):
            if case .success(let playback) = other { await playback.stop() }
            throw EchoError(audio: error)
        case (.success(let capture), .failure(let error)):
            await capture.stop()
            throw EchoError(audio: error)
        }
    }

    func play(_ sound: [UInt8]) { loudspeaker.play(AudioBuffer(pcm16: sound)) }

    func flush() async -> Int { await loudspeaker.flush() }

    func setMuted(_ muted: Bool) async { outlet.setMuted(muted, route: Self.route(capture, playback)) }

    func close() async {
        outlet.finish()
        async let microphone: Void = capture.stop()
        await loudspeaker.close()
        await microphone
        for task in tasks { await task.value }
    }
}

extension DeviceVoiceStream {
    private static func start(
        _ device: AudioDevice, _ options: VoiceDeviceOptions, _ logger: Logger
    ) async -> Result<AudioCapture, AudioError> {
        let configuration = StreamConfiguration(format: .voice, period: options.period, buffer: options.buffer)
        do throws(AudioError) {
            return .success(
                try await AudioCapture.start(
                    device: device, configuration: configuration, recovery: options.recovery(for: device),
                    logger: logger))
        } catch { return .failure(error) }
    }

    private static func start(
        _ device: AudioDevice, _ options: VoiceDeviceOptions, _ logger: Logger
    ) async -> Result<AudioPlayback, AudioError> {
        // So large that the feeding task never waits for room, and a flush never for that task.
        let configuration = StreamConfiguration(
            format: .voice, period: options.period, buffer: options.buffer, backlog: .seconds(600))
        do throws(AudioError) {
            return .success(
                try await AudioPlayback.start(
                    device: device, configuration: configuration, recovery: options.recovery(for: device),
                    logger: logger))
        } catch { return .failure(error) }
    }

    /// Listens until the microphone is closed, its sound has ended, or it has failed for good.
    private static func listen(
        to capture: AudioCapture, _ announcements: PlaybackAnnouncements, options: VoiceDeviceOptions,
        input: FileMicrophone?, outlet: VoiceOutlet
    ) async {
        do {
            var ear = try VoiceEar(options, input: input)
            for try await piece in capture.buffers {
                outlet.send(try ear.hear(piece, after: announcements.take()))
            }
            outlet.send([.inputEnded])
        } catch { outlet.finish(throwing: EchoError(audio: error)) }
    }

    private static func follow(
        _ news: AsyncStream<AudioSession.Event>, _ capture: AudioCapture, _ playback: AudioPlayback,
        _ outlet: VoiceOutlet
    ) async {
        for await event in news {
            switch event {
            case .routeChanged: outlet.sendRoute(route(capture, playback))
            case .gone(let error): outlet.finish(throwing: EchoError(audio: error))
            case .interruptionBegan, .interruptionEnded: break
            }
        }
    }

    /// The device's name, or the microphone's and the loudspeaker's.
    private static func route(_ capture: AudioCapture, _ playback: AudioPlayback) -> String {
        capture.route == playback.route ? capture.route : "\(capture.route), \(playback.route)"
    }
}

extension VoiceDeviceOptions {
    /// The recovery when `device` fails: the system's default replaces any other ALSA device.
    fileprivate func recovery(for device: AudioDevice) -> AudioRecovery {
        var recovery = recovery
        let isReplaceable = device.name != AudioDevice.default.name && device.name != "virtual"
        if recovery.fallback == nil, isReplaceable { recovery.fallback = .default }
        return recovery
    }
}
