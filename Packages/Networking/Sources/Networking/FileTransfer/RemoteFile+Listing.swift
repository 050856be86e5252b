// SPDX-License-Identifier: MIT

extension RemoteFile {
    /// Reads a line of a listing, such as `-rw-r--r--    1 ada      users         300 Nov 27 06:44 notes.txt`.
    ///
    /// Version 3 of SFTP (draft-ietf-secsh-filexfer-02 §7) recommends this format. It begins with ten characters of mode,
    /// and a user's or group's name may have spaces, so that the fields are told by the date.
    init?(listingLine line: Substring) {
        let fields = line.split(separator: " ")
        guard let mode = line.utf8.first, line.utf8.count > 10, fields.count >= 7 else { return nil }
        for index in 2..<(fields.count - 4) {
            guard let size = Int(fields[index]), size >= 0, Self.isMonth(fields[index + 1]),
                let day = Int(fields[index + 2]), (1...31).contains(day), Self.isTimeOrYear(fields[index + 3])
            else { continue }
            // The name may begin with spaces, which end no field.
            let rest = line[fields[index + 3].endIndex...].dropFirst()
            guard !rest.isEmpty else { return nil }
            let kind: Kind =
                switch mode {
                case UInt8(ascii: "-"): .file
                case UInt8(ascii: "d"): .folder
                default: .other
                }
            self.init(name: String(rest), kind: kind, size: size)
            return
        }
        return nil
    }

    private static func isMonth(_ text: Substring) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
    }

    private static func isTimeOrYear(_ text: Substring) -> Bool {
        (4...5).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ":") }
    }
}
