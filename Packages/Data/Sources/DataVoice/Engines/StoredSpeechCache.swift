// SPDX-License-Identifier: MIT

public import AudioKitLinux
import Digests
public import Persistence
public import SpeechServices

/// The sound of texts in a bounded file, which the app lock seals with the other data. The file is opened by the first
/// use. One that cannot be opened or read costs a request to the service, and nothing else.
public struct StoredSpeechCache: SpeechCache {
    /// The bounds of the file: 100 MB, half an hour at 24 kHz, and 90 days.
    public static let bounds = CacheStore.Configuration(maximumBytes: 100_000_000, maximumAge: .seconds(90 * 86_400))

    private let cache: LazyCacheStore

    /// A cache in a file.
    ///
    /// - Parameter open: Opens the file.
    public init(_ open: @escaping @Sendable () async throws -> CacheStore) { cache = LazyCacheStore(open) }

    /// See `SpeechCache`.
    public func sound(for key: SpeechCacheKey) async -> [AudioBuffer]? {
        guard let store = await cache.store(), let entry = try? await store.entry(for: Self.name(of: key)),
            let format = Self.format(entry.metadata), entry.value.count.isMultiple(of: 2 * format.channels)
        else { return nil }
        let samples = stride(from: 0, to: entry.value.count, by: 2).map { index in
            Int16(bitPattern: UInt16(entry.value[index]) | UInt16(entry.value[index + 1]) << 8)
        }
        return [AudioBuffer(int16: samples, format: format)]
    }

    /// See `SpeechCache`. A sound of more than a quarter of the file is not kept.
    public func store(_ sound: [AudioBuffer], for key: SpeechCacheKey) async {
        guard let format = sound.first?.format, sound.allSatisfy({ $0.format == format }),
            sound.reduce(0, { $0 + 2 * $1.samples.count }) <= Self.bounds.maximumBytes / 4,
            let store = await cache.store()
        else { return }
        var bytes: [UInt8] = []
        for sample in sound.lazy.flatMap({ $0.int16Samples() }) {
            bytes.append(UInt8(truncatingIfNeeded: sample))
            bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
        }
        try? await store.set(
            bytes, metadata: Array("\(format.sampleRate) \(format.channels)".utf8), for: Self.name(of: key))
    }

    /// Closes the file.
    public func close() async { await cache.close() }

    /// The hash of a key, so that no text is in the file.
    private static func name(of key: SpeechCacheKey) throws -> String {
        let parts = [key.voice, key.settings, key.text].map { "\($0.utf8.count) \($0)" }
        return try Hexadecimal.text(MessageDigest.hash(parts.joined().utf8, .sha256))
    }

    private static func format(_ metadata: [UInt8]) -> AudioFormat? {
        let numbers = String(decoding: metadata, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 2, (1...768_000).contains(numbers[0]), (1...8).contains(numbers[1]) else { return nil }
        return AudioFormat(sampleRate: numbers[0], channels: numbers[1])
    }
}
