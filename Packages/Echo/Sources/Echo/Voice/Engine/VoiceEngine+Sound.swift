// SPDX-License-Identifier: MIT

import Concurrency

/// Sound between the device and the machine.
extension VoiceEngine {
    /// Handles the device's events until they end.
    func listen(to stream: any VoiceStream) async {
        do {
            for try await event in stream.events { receive(event) }
        } catch {
            let reason = if case .audioError(let reason)? = error as? EchoError { reason } else { "\(error)" }
            feed(.deviceFailed(reason))
        }
    }

    private func receive(_ event: VoiceDeviceEvent) {
        // Some events are read after the device was closed.
        guard stream != nil else { return }
        switch event {
        case .captured(let sound): feed(.captured(sound))
        case .heard(let frames): feed(.heard(frames: frames))
        case .voice(let isSpeech): feed(.voice(isSpeech))
        case .level(let input, let output):
            emit(.audioLevelChanged(input))
            emit(.outputLevelChanged(output))
        case .status(let status, let route):
            emit(.audioStatusChanged(status))
            guard route != self.route else { break }
            let isFirst = self.route.isEmpty
            self.route = route
            if !isFirst { emit(.audioRouteChanged(route)) }
        case .inputEnded: emit(.audioInputEnded)
        }
    }

    /// Closes the device, if it is open.
    func closeDevice() async {
        guard let stream = stream.take() else { return }
        await stream.close()
        emit(.audioStatusChanged(.idle))
    }

    /// Plays or flushes, in order; a flush takes some time.
    func move(_ action: VoiceAction) {
        guard !isFlushing else { return held.append(action) }
        guard let stream else {
            // Without a device nothing is heard.
            if case .flush = action { feed(.flushed(heard: 0)) }
            return
        }
        switch action {
        case .play(let sound): stream.play(sound)
        case .flush:
            isFlushing = true
            tasks.add { await self.flushed(heard: await stream.flush()) }
        default: break
        }
    }

    private func flushed(heard frames: Int) {
        isFlushing = false
        let held = self.held
        self.held = []
        for action in held { move(action) }
        feed(.flushed(heard: frames))
    }
}
