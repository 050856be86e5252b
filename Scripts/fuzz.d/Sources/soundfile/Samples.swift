// SPDX-License-Identifier: MIT

import AudioKitLinux
import Glibc

/// Small sound files, made once for all inputs.
struct Samples {
    let path: String
    let whole: [(name: String, bytes: [UInt8])]

    static let made = Samples()

    private init() {
        // In memory where there is such a folder: an input is a file.
        let base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        guard let folder = strdup(base + "/parley-soundfile.XXXXXX"), mkdtemp(folder) != nil else {
            preconditionFailure("cannot make a folder")
        }
        let path = String(cString: folder)
        free(folder)
        self.path = path
        whole = ["wav", "flac", "ogg", "opus"].map { name in
            let file = path + "/sample." + name
            do throws(AudioError) {
                let writer = try SoundFileWriter(path: file, format: .speech)
                let sound = (0..<2_400).map { Float(($0 * 7_919) % 331) / 331 - 0.5 }
                try writer.write(AudioBuffer(samples: sound, format: .speech))
                try writer.close()
            } catch { preconditionFailure("\(error)") }
            return (name, bytes(of: file))
        }
        atexit { Samples.made.remove() }
    }

    private func remove() {
        for (name, _) in whole {
            for kind in ["sample.", "input.", "whole."] { unlink(path + "/" + kind + name) }
        }
        rmdir(path)
    }
}

/// What a file holds; nothing if it cannot be read.
func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer.prefix(count) }
    return bytes
}

func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "wb") else { preconditionFailure("cannot write \(path)") }
    precondition(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
}

extension [UInt8] {
    /// Puts pieces of the input in other places: three bytes say where, one how long, and the piece follows.
    mutating func change(by input: ArraySlice<UInt8>) {
        var rest = input
        while rest.count > 4, !isEmpty {
            let place = rest.prefix(3).reduce(0) { $0 << 8 | Int($1) } % count
            let length = Int(rest[rest.startIndex + 3]) % 64 + 1
            let piece = rest.dropFirst(4).prefix(Swift.min(length, count - place))
            replaceSubrange(place..<place + piece.count, with: piece)
            rest = rest.dropFirst(4 + Swift.max(1, piece.count))
        }
    }
}
