// SPDX-License-Identifier: MIT

import AudioKitLinux
import FuzzerDriver
import Glibc

/// Where the program starts. A sound file is longer than what the other targets read.
@_cdecl("soundfile_main")
public func main(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    runFuzzer(count, arguments, longest: 2048) { fuzz($0, $1) }
}

/// The first byte says what the input is: a file as it is, or changes to a sound one of one of four kinds, or its end.
/// Whatever is opened is sound or a typed error, a repair says what it did, and what it made can be read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let first = input.first else { return 0 }
    let folder = Samples.made
    var file = folder.whole[Int(first & 3)]
    let rest = input.dropFirst()
    if first & 4 != 0 {
        file.bytes = Array(rest)
    } else if first & 16 != 0 {
        let length = rest.prefix(3).reduce(0) { $0 << 8 | Int($1) }
        file.bytes = Array(file.bytes.prefix(length % (file.bytes.count + 1)))
        file.bytes.change(by: rest.dropFirst(3))
    } else {
        file.bytes.change(by: rest)
    }
    let path = folder.path + "/input." + file.name
    write(file.bytes, to: path)
    read(path, from: first & 8 == 0 ? 0 : Int(input.count) * 7)
    repair(path, into: folder.path + "/whole." + file.name)
    return 0
}

/// Reads it to its end, or for as long as a mutation may claim.
private func read(_ path: String, from frame: Int) {
    do throws(AudioError) {
        let reader = try SoundFileReader(path: path)
        precondition(reader.format.channels > 0 && reader.format.sampleRate > 0, "a file of nothing was opened")
        if frame > 0 { try reader.seek(toFrame: frame) }
        var left = 200_000
        while left > 0, let piece = try reader.readConverted(to: .speech, frames: 4_000) {
            precondition(piece.frameCount > 0 && piece.frameCount <= 4_000, "a piece of \(piece.frameCount) frames")
            left -= piece.frameCount
        }
    } catch { precondition(!error.message.isEmpty) }
}

private func repair(_ path: String, into whole: String) {
    do throws(AudioError) {
        let found = try SoundFileRepair.examine(path)
        precondition(found.frames >= 0, "fewer frames than none")
        if path.hasSuffix("wav") {
            try SoundFileRepair.repairHeader(path)
            _ = try SoundFileRepair.examine(path)
        } else if found.frames < 1_000_000 {
            unlink(whole)
            let frames = try SoundFileRepair.rewrite(path, to: whole)
            precondition(frames >= 0, "fewer frames than none")
            read(whole, from: 0)
        }
    } catch { precondition(!error.message.isEmpty) }
}
