// SPDX-License-Identifier: MIT

import AudioDSP
import Foundation
import TestKit
import Testing

@testable import AudioKitLinux

@Suite("Pictures of waveforms")
struct WaveformImageTests {
    private typealias Bucket = WaveformPeaks.Bucket

    @Test("each column shows its extremes and its RMS, and no more")
    func pixels() {
        let columns = [
            Bucket(minimum: -1, maximum: 1, rms: 0.5), Bucket(minimum: 0, maximum: 0, rms: 0),
            Bucket(minimum: 0.25, maximum: 0.5, rms: 0), Bucket(minimum: -7, maximum: .infinity, rms: 9),
        ]
        let image = WaveformImage(columns, height: 8)
        let shown = image.pixels.map { [".", "-", "#"][Int($0.rawValue)] }
        let rows = (0..<8).map { shown[$0 * 4..<$0 * 4 + 4].joined() }
        #expect(rows == ["-..#", "-..#", "#.-#", "#.-#", "#-.#", "#..#", "#..#", "-..#"])
        #expect(WaveformImage([]).pixels == [WaveformImage.Shade](repeating: .background, count: 200))
    }

    @Test("another program reads from the PNG file what was drawn", arguments: [1, 3, 1_200])
    func readBack(_ count: Int) throws {
        let columns = (0..<count).map { index in
            let level = Float(index + 1) / Float(count)
            return Bucket(minimum: -level, maximum: level / 2, rms: level / 4)
        }
        let image = WaveformImage(columns, height: 100)
        let read = try Self.read(try image.png(title: "Grüße, 0:01"))
        #expect(read.title == "Grüße, 0:01")
        #expect(read.width == count && read.height == 100)
        let expected = image.pixels.map { [$0.colour.red, $0.colour.green, $0.colour.blue] }
        #expect(read.pixels == expected)
    }

    private struct Read: Decodable {
        let width: Int
        let height: Int
        let title: String
        let pixels: [[UInt8]]
    }

    /// Decodes a PNG file by the standard's own rules, each check sum looked at.
    private static func read(_ png: [UInt8]) throws -> Read {
        let script = """
            import json, struct, sys, zlib
            data = sys.stdin.buffer.read()
            assert data[:8] == b"\\x89PNG\\r\\n\\x1a\\n"
            chunks, at = [], 8
            while at < len(data):
                size, = struct.unpack(">I", data[at:at + 4])
                check, = struct.unpack(">I", data[at + 8 + size:at + 12 + size])
                assert zlib.crc32(data[at + 4:at + 8 + size]) == check
                chunks.append((data[at + 4:at + 8], data[at + 8:at + 8 + size]))
                at += size + 12
            assert [name for name, _ in chunks] == [b"IHDR", b"iTXt", b"PLTE", b"IDAT", b"IEND"]
            parts = dict(chunks)
            width, height, depth, kind, *rest = struct.unpack(">IIBBBBB", parts[b"IHDR"])
            assert (depth, kind, rest) == (8, 3, [0, 0, 0]) and not parts[b"IEND"]
            rows = zlib.decompress(parts[b"IDAT"])
            assert len(rows) == height * (width + 1)
            palette, pixels = parts[b"PLTE"], []
            for row in range(height):
                line = rows[row * (width + 1):(row + 1) * (width + 1)]
                assert line[0] == 0
                pixels += [list(palette[3 * index:3 * index + 3]) for index in line[1:]]
            keyword, title = parts[b"iTXt"].split(b"\\0\\0\\0\\0\\0")
            assert keyword == b"Title"
            json.dump({"width": width, "height": height, "title": title.decode(), "pixels": pixels}, sys.stdout)
            """
        let result = try ChildProcess("python3", ["-c", script], input: .bytes(png)).finish()
        #expect(result.code == 0)
        return try JSONDecoder().decode(Read.self, from: Data(result.output.utf8))
    }
}
