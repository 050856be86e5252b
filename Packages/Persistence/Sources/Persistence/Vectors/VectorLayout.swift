// SPDX-License-Identifier: MIT

/// The layout of a vector file. All numbers are little-endian.
///
/// Two headers of one page each, then chunks of 256 rows: one page with the rows' numbers (Int64), norms (Float; 0 for
/// a row that was removed) and checksums (UInt32), then the vectors, each filled up with zeros to a multiple of 16
/// floats, then one page with the codes' scales and errors (Float each), and the codes, a byte for each float (see
/// ``VectorCode``).
struct VectorLayout: Sendable, Equatable {
    static let dimensions = 1...16_384
    static let rowsPerChunk = 256
    static let page = 4_096
    static let headers = 2 * page

    let dimension: Int

    /// A row's length in floats.
    var width: Int { (dimension + 15) / 16 * 16 }
    var bytesPerRow: Int { width * 4 }
    var bytesPerChunk: Int { 2 * Self.page + Self.rowsPerChunk * (bytesPerRow + width) }

    /// The size of a file with a number of rows; nil if it is beyond a file's limit.
    func size(rows: Int) -> Int? {
        let chunks = (rows / Self.rowsPerChunk) + (rows % Self.rowsPerChunk == 0 ? 0 : 1)
        let (bytes, overflow) = chunks.multipliedReportingOverflow(by: bytesPerChunk)
        return overflow || bytes > Int.max - Self.headers ? nil : Self.headers + bytes
    }

    func chunk(_ row: Int) -> Int { Self.headers + row / Self.rowsPerChunk * bytesPerChunk }
    func id(_ row: Int) -> Int { chunk(row) + row % Self.rowsPerChunk * 8 }
    func norm(_ row: Int) -> Int { chunk(row) + Self.rowsPerChunk * 8 + row % Self.rowsPerChunk * 4 }
    func checksum(_ row: Int) -> Int { chunk(row) + Self.rowsPerChunk * 12 + row % Self.rowsPerChunk * 4 }
    func vector(_ row: Int) -> Int { chunk(row) + Self.page + row % Self.rowsPerChunk * bytesPerRow }
    func scale(_ row: Int) -> Int { codePage(row) + row % Self.rowsPerChunk * 4 }
    func error(_ row: Int) -> Int { codePage(row) + Self.rowsPerChunk * 4 + row % Self.rowsPerChunk * 4 }
    func code(_ row: Int) -> Int { codePage(row) + Self.page + row % Self.rowsPerChunk * width }

    private func codePage(_ row: Int) -> Int { chunk(row) + Self.page + Self.rowsPerChunk * bytesPerRow }
}
