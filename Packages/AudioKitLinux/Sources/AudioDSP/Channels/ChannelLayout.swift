// SPDX-License-Identifier: MIT

/// Interleaved and planar samples. Planar means one block of memory, channel after channel: channels × frames.
/// There is at least one channel.
public enum ChannelLayout {
    /// Splits `source` (interleaved, frames × `channels`) into planes in `target`. Converts the whole frames that both
    /// hold; the planes are `frames` apart, which is `target.count / channels`. The two must not overlap.
    public static func deinterleave(
        _ source: UnsafeBufferPointer<Float>, channels: Int, into target: UnsafeMutableBufferPointer<Float>
    ) {
        precondition(channels > 0)
        let stride = target.count / channels
        let frames = min(source.count / channels, stride)
        guard frames > 0, let source = source.baseAddress, let target = target.baseAddress else { return }
        var frame = 0
        if channels == 1 {
            target.update(from: source, count: frames)
            return
        } else if channels == 2 {
            while frame + 4 <= frames {
                let pairs = source.vector8(2 * frame)
                target.store(pairs.evenHalf, frame)
                target.store(pairs.oddHalf, stride + frame)
                frame += 4
            }
        } else if channels >= 4 {
            while frame + 4 <= frames {
                var channel = 0
                while channel < channels {
                    // The last four channels overlap the ones before when their number is no multiple of 4.
                    if channel > channels - 4 { channel = channels - 4 }
                    let from = source + frame * channels + channel
                    let block = transposed(
                        from.vector(0), from.vector(channels), from.vector(2 * channels), from.vector(3 * channels))
                    let to = target + channel * stride + frame
                    to.store(block.0, 0)
                    to.store(block.1, stride)
                    to.store(block.2, 2 * stride)
                    to.store(block.3, 3 * stride)
                    channel += 4
                }
                frame += 4
            }
        } else {
            // Three channels: a vector's fourth value is the next frame's first.
            while frame + 5 <= frames {
                let from = source + 3 * frame
                let block = transposed(from.vector(0), from.vector(3), from.vector(6), from.vector(9))
                target.store(block.0, frame)
                target.store(block.1, stride + frame)
                target.store(block.2, 2 * stride + frame)
                frame += 4
            }
        }
        while frame < frames {
            for channel in 0..<channels { target[channel * stride + frame] = source[frame * channels + channel] }
            frame += 1
        }
    }

    /// Interleaves `source` (planar, `source.count / channels` frames) into `target`. Converts the whole frames that
    /// both hold. The two must not overlap.
    public static func interleave(
        _ source: UnsafeBufferPointer<Float>, channels: Int, into target: UnsafeMutableBufferPointer<Float>
    ) {
        precondition(channels > 0)
        let stride = source.count / channels
        let frames = min(target.count / channels, stride)
        guard frames > 0, let source = source.baseAddress, let target = target.baseAddress else { return }
        var frame = 0
        if channels == 1 {
            target.update(from: source, count: frames)
            return
        } else if channels == 2 {
            while frame + 4 <= frames {
                target.store(source.vector(frame).zipped(with: source.vector(stride + frame)), 2 * frame)
                frame += 4
            }
        } else if channels >= 4 {
            while frame + 4 <= frames {
                var channel = 0
                while channel < channels {
                    if channel > channels - 4 { channel = channels - 4 }
                    let from = source + channel * stride + frame
                    let block = transposed(
                        from.vector(0), from.vector(stride), from.vector(2 * stride), from.vector(3 * stride))
                    let to = target + frame * channels + channel
                    to.store(block.0, 0)
                    to.store(block.1, channels)
                    to.store(block.2, 2 * channels)
                    to.store(block.3, 3 * channels)
                    channel += 4
                }
                frame += 4
            }
        } else {
            while frame + 5 <= frames {
                let from = source + frame
                let third = from.vector(2 * stride)
                let block = transposed(from.vector(0), from.vector(stride), third, third)
                // In this order, since each writes one value into the next frame.
                target.store(block.0, 3 * frame)
                target.store(block.1, 3 * frame + 3)
                target.store(block.2, 3 * frame + 6)
                target.store(block.3, 3 * frame + 9)
                frame += 4
            }
        }
        while frame < frames {
            for channel in 0..<channels { target[frame * channels + channel] = source[channel * stride + frame] }
            frame += 1
        }
    }

    @inline(__always)
    private static func transposed(
        _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>
    ) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
        (
            SIMD4(a[0], b[0], c[0], d[0]), SIMD4(a[1], b[1], c[1], d[1]), SIMD4(a[2], b[2], c[2], d[2]),
            SIMD4(a[3], b[3], c[3], d[3])
        )
    }
}
