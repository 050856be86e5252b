// SPDX-License-Identifier: MIT

import AudioKitLinux
import FuzzerDriver
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
