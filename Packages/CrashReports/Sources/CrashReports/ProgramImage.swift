// SPDX-License-Identifier: MIT

import DurableFiles
import Glibc

/// The file of the running program.
public enum ProgramImage {
    private static let headerBytes = 4_096
    private static let mostNoteBytes = 65_536

    /// The GNU build id, which says exactly which build runs, in lower-case hexadecimal digits; nil if the program was linked
    /// without one. Reads the notes of the ELF file.
    public static var buildID: String? { buildID(of: "/proc/self/exe") }

    /// The build id of a 64-bit little-endian ELF file; nil for one without it, and for any other file.
    static func buildID(of path: String) -> String? {
        guard let file = try? OpenFile(path, O_RDONLY), let header = try? file.bytes(at: 0, maximum: headerBytes),
            header.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
        else { return nil }
        let (table, size, count) = (number(header, 32, 8), number(header, 54, 2), number(header, 56, 2))
        for index in 0..<count {
            let entry = table + index * size
            // PT_NOTE
            guard number(header, entry, 4) == 4 else { continue }
            let length = min(number(header, entry + 32, 8), mostNoteBytes)
            guard let notes = try? file.bytes(at: number(header, entry + 8, 8), maximum: length) else { continue }
            if let id = buildID(in: notes) { return id }
        }
        return nil
    }

    private static func buildID(in notes: [UInt8]) -> String? {
        var offset = 0
        while offset + 12 <= notes.count {
            let (name, content) = (number(notes, offset, 4), number(notes, offset + 4, 4))
            let start = offset + 12 + (name + 3) & ~3
            guard start + content <= notes.count else { return nil }
            // NT_GNU_BUILD_ID
            if number(notes, offset + 8, 4) == 3, notes[(offset + 12)...].starts(with: Array("GNU\0".utf8)) {
                return notes[start..<(start + content)].map { byte in
                    (byte < 16 ? "0" : "") + String(byte, radix: 16)
                }.joined()
            }
            offset = start + (content + 3) & ~3
        }
        return nil
    }

    /// A little-endian number; 0 beyond the end.
    private static func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int {
        guard offset >= 0, offset <= bytes.count - size else { return 0 }
        return bytes[offset..<(offset + size)].reversed().reduce(0) { ($0 & 0x3F_FFFF_FFFF_FFFF) << 8 | Int($1) }
    }
}
