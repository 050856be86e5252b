// SPDX-License-Identifier: MIT

import Glibc

/// The tables of a `.mo` file (GNU gettext manual, "The Format of GNU MO Files"), checked once, so that a later read cannot leave
/// the file.
struct CatalogueTables: Sendable {
    let count: Int
    private let file: MappedFile
    private let isSwapped: Bool
    private let originals: Int
    private let translations: Int

    private static let headerSize = 28

    init(_ file: MappedFile, path: String) throws(LocalizationError) {
        let bytes = file.bytes
        guard bytes.count >= Self.headerSize else { throw Self.damaged(path, "it is shorter than a header") }
        let magic = bytes.loadUnaligned(as: UInt32.self)
        guard magic == 0x9504_12DE || magic == 0xDE12_0495 else {
            throw LocalizationError(
                .notACatalogue, "\(path) is not a .mo file. Build it with msgfmt, or remove it from the folder.")
        }
        let isSwapped = magic != 0x9504_12DE
        let header = (0..<5).map { Self.word(bytes, at: 4 * $0, isSwapped) }
        guard header[1] >> 16 <= 1 else {
            throw LocalizationError(
                .notACatalogue,
                "\(path) has version \(header[1] >> 16) of the .mo format, known are 0 and 1. Build it with another msgfmt."
            )
        }
        (self.file, self.isSwapped) = (file, isSwapped)
        (count, originals, translations) = (header[2], header[3], header[4])
        let size = 8 * count
        for table in [originals, translations] {
            guard table >= Self.headerSize, table + size <= bytes.count else {
                throw Self.damaged(path, "a table lies outside of it")
            }
        }
        guard count == 0 || originals + size <= translations || translations + size <= originals else {
            throw Self.damaged(path, "its tables overlap")
        }
        try checkTexts(path)
    }

    /// Each text must lie in the file with the NUL behind it, and the originals must ascend, as binary search needs.
    private func checkTexts(_ path: String) throws(LocalizationError) {
        var previous: UnsafeRawBufferPointer?
        for index in 0..<count {
            for table in [originals, translations] {
                let (length, start) = place(index, table)
                guard start + length < file.bytes.count, file.bytes[start + length] == 0 else {
                    throw Self.damaged(path, "text \(index) lies outside of it or has no end")
                }
            }
            let next = original(index)
            if let previous, !Self.ascend(previous, next) {
                throw Self.damaged(path, "its texts are not in order")
            }
            previous = next
        }
    }

    private static func ascend(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        // SAFETY: both are in the file, and so is the NUL behind each.
        guard let one = one.baseAddress, let other = other.baseAddress else { return false }
        return strcmp(one.assumingMemoryBound(to: CChar.self), other.assumingMemoryBound(to: CChar.self)) < 0
    }

    /// The translation of an original; nil without one. The key has no NUL: what follows one in an original is its plural.
    func translation(of key: UnsafeBufferPointer<UInt8>) -> UnsafeRawBufferPointer? {
        guard !key.contains(0) else { return nil }
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            switch Self.order(key, original(middle)) {
            case 0: return text(middle, translations)
            case ..<0: high = middle
            default: low = middle + 1
            }
        }
        return nil
    }

    private static func order(_ key: UnsafeBufferPointer<UInt8>, _ original: UnsafeRawBufferPointer) -> Int32 {
        guard let start = original.baseAddress, let wanted = key.baseAddress else {
            // The empty key is the header's, which comes first.
            return original.isEmpty ? 0 : -1
        }
        // With its NUL, which no key has, so the loop ends before the text does.
        let common = min(key.count, original.count + 1)
        let order = memcmp(wanted, start, common)
        if order != 0 { return order }
        return start.load(fromByteOffset: key.count, as: UInt8.self) == 0 ? 0 : -1
    }

    private func original(_ index: Int) -> UnsafeRawBufferPointer { text(index, originals) }

    private func text(_ index: Int, _ table: Int) -> UnsafeRawBufferPointer {
        let (length, start) = place(index, table)
        return UnsafeRawBufferPointer(rebasing: file.bytes[start..<start + length])
    }

    private func place(_ index: Int, _ table: Int) -> (length: Int, start: Int) {
        let entry = table + 8 * index
        return (Self.word(file.bytes, at: entry, isSwapped), Self.word(file.bytes, at: entry + 4, isSwapped))
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ isSwapped: Bool) -> Int {
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return Int(isSwapped ? word.byteSwapped : word)
    }

    static func damaged(_ path: String, _ detail: String) -> LocalizationError {
        LocalizationError(.damaged, "\(path) is damaged: \(detail). Install or build the catalogue again.")
    }
}
