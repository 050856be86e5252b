// SPDX-License-Identifier: MIT
internal import Glibc

/// The kernel's files about sound, under a root that tests can choose.
struct SystemFiles {
    /// The prefix of "/proc" and "/dev"; empty for the real files.
    let root: String

    init(root: String = "") { self.root = root }

    /// The text of a small file; nil when it cannot be read.
    func text(_ path: String) -> String? {
        let descriptor = open(root + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &bytes, bytes.count)
        return count >= 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    /// The names in a folder, sorted; empty if it cannot be read.
    func names(in path: String) -> [String] {
        guard let folder = opendir(root + path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The target of a symbolic link.
    func link(_ path: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = bytes.withUnsafeMutableBytes { target in
            target.baseAddress.map { readlink(root + path, $0, target.count) } ?? -1
        }
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    /// The access to `/dev/snd` that this user has, group and access list included: opens a control node for a moment,
    /// which disturbs no other program.
    func cardNodes(card: Int? = nil) -> OpenFailure.CardNodes {
        let controls = names(in: "/dev/snd").filter {
            card.map { "controlC\($0)" } == $0 || (card == nil && $0.hasPrefix("controlC"))
        }
        var found = OpenFailure.CardNodes.none
        for name in controls {
            let descriptor = open("\(root)/dev/snd/\(name)", O_RDWR | O_CLOEXEC | O_NONBLOCK)
            if descriptor >= 0 {
                close(descriptor)
                return .usable
            }
            if errno == EACCES || errno == EPERM { found = .forbidden }
        }
        return found
    }
}
