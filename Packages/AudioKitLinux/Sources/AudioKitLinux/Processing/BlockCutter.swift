// SPDX-License-Identifier: MIT

/// Cuts buffers of any length into blocks of one length, and tracks the positions of the results in the stream.
struct BlockCutter {
    let blockFrames: Int
    /// The number of frames by which the worker's output lags behind its input.
    var latency = 0
    private var waiting: [Float] = []
    private var framesToSkip = 0

    init(blockFrames: Int, latency: Int = 0) {
        self.blockFrames = blockFrames
        self.latency = latency
        framesToSkip = latency
    }

    /// Runs `work` over every block that `piece`, mixed to one channel, completes; its argument is the block and the
    /// position of its first frame. Returns the results in one buffer with its position in the stream; nil without a
    /// complete block. The worker's output before the first frame reached it is left out.
    mutating func process(
        _ piece: CapturedBuffer, format: AudioFormat, _ work: ([Float], Int) -> [Float]
    ) -> CapturedBuffer? {
        let end = piece.position + piece.buffer.frameCount
        waiting += piece.buffer.mixedToMono().samples
        var results: [Float] = []
        var done = 0
        while waiting.count - done >= blockFrames {
            let position = end - (waiting.count - done)
            results += work(Array(waiting[done..<done + blockFrames]), position)
            done += blockFrames
        }
        waiting.removeFirst(done)
        let skipped = min(framesToSkip, results.count)
        results.removeFirst(skipped)
        framesToSkip -= skipped
        guard !results.isEmpty else { return nil }
        let lag = waiting.count + latency
        let rate = Int64(max(1, format.sampleRate))
        return CapturedBuffer(
            buffer: AudioBuffer(samples: results, format: format), position: end - lag - results.count,
            capturedAt: piece.capturedAt - .nanoseconds(Int64(lag) * 1_000_000_000 / rate))
    }
}
