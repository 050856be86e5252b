// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataVoice
import Foundation
import Persistence
import SpeechServices
import SpeechServicesTestSupport
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct StoredSpeechCacheTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("speech-cache.sqlite") }
    private let key = SpeechCacheKey(text: "planted text", voice: "v", settings: "s")

    init() throws { folder = try TemporaryFolder() }

    private func cache() -> StoredSpeechCache {
        let path = path
        return StoredSpeechCache { try await CacheStore(at: path, configuration: StoredSpeechCache.bounds) }
    }

    @Test func `a sound comes back after a restart, sample for sample`() async throws {
        let tone = ScriptedSpeechServer.tone(frames: 24_000)
        let first = cache()
        await first.store([tone.frames(0..<1_000), tone.frames(1_000..<24_000)], for: key)
        await first.close()
        let again = cache()
        #expect(await again.sound(for: key) == [tone])
        for other in [
            SpeechCacheKey(text: "planted", voice: "v", settings: "s"),
            SpeechCacheKey(text: "planted text", voice: "w", settings: "s"),
            SpeechCacheKey(text: "planted text", voice: "v", settings: "s1"),
        ] {
            #expect(await again.sound(for: other) == nil)
        }
        await again.close()
    }

    @Test func `the file is the owner's and has no text in it`() async throws {
        let cache = cache()
        await cache.store([ScriptedSpeechServer.tone(frames: 100)], for: key)
        await cache.close()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let file = folder.file(name)
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
            #expect(try Data(contentsOf: URL(filePath: file)).range(of: Data("planted".utf8)) == nil)
        }
    }

    @Test func `a file that cannot be opened costs no sound`() async {
        let broken = StoredSpeechCache { throw CancellationError() }
        await broken.store([ScriptedSpeechServer.tone(frames: 100)], for: key)
        #expect(await broken.sound(for: key) == nil)
    }
}
