// SPDX-License-Identifier: MIT

/// The rows of one chunk, or a part of them, as they are written: seven pieces for up to 256 rows instead of seven a
/// row.
struct VectorBlock {
    let layout: VectorLayout
    private(set) var count = 0
    private var ids: [Int64] = []
    private var norms: [Float] = []
    private var checksums: [UInt32] = []
    private var vectors: [Float] = []
    private var scales: [Float] = []
    private var errors: [Float] = []
    private var codes: [Int8] = []

    init(layout: VectorLayout) {
        self.layout = layout
        vectors.reserveCapacity(VectorLayout.rowsPerChunk * layout.width)
        codes.reserveCapacity(VectorLayout.rowsPerChunk * layout.width)
    }

    /// Adds a row, with its code and checksum.
    mutating func add(id: Int64, norm: Float, vector: [Float]) {
        let start = vectors.count
        vectors += vector
        vectors += repeatElement(0, count: layout.width - vector.count)
        vectors.withUnsafeBufferPointer { vectors in
            let row = UnsafeBufferPointer(rebasing: vectors[start...])
            let (scale, error) = VectorCode.append(row, norm: norm, to: &codes)
            scales.append(scale)
            errors.append(error)
            checksums.append(VectorChecksum.ofRow(id: id, vector: UnsafeRawBufferPointer(row)).littleEndian)
        }
        ids.append(id.littleEndian)
        norms.append(norm)
        count += 1
    }

    /// Adds a row of another file unchanged: a recomputed checksum would hide damage.
    mutating func add(row: Int, of file: VectorFile) {
        ids.append(file.id(row).littleEndian)
        norms.append(file.norms(row).pointee)
        checksums.append(file.checksum(row))
        vectors += UnsafeBufferPointer(start: file.vector(row), count: layout.width)
        scales.append(file.scales(row).pointee)
        errors.append(file.errors(row).pointee)
        codes += UnsafeBufferPointer(start: file.code(row), count: layout.width)
        count += 1
    }

    mutating func removeAll() {
        count = 0
        ids.removeAll(keepingCapacity: true)
        norms.removeAll(keepingCapacity: true)
        checksums.removeAll(keepingCapacity: true)
        vectors.removeAll(keepingCapacity: true)
        scales.removeAll(keepingCapacity: true)
        errors.removeAll(keepingCapacity: true)
        codes.removeAll(keepingCapacity: true)
    }

    /// Writes the pieces at their offsets, with `row` as the first row. All rows must be in one chunk.
    func write(at row: Int, _ write: (UnsafeRawBufferPointer, _ offset: Int) throws -> Void) throws {
        try codes.withUnsafeBytes { try write($0, layout.code(row)) }
        try scales.withUnsafeBytes { try write($0, layout.scale(row)) }
        try errors.withUnsafeBytes { try write($0, layout.error(row)) }
        try vectors.withUnsafeBytes { try write($0, layout.vector(row)) }
        try ids.withUnsafeBytes { try write($0, layout.id(row)) }
        try norms.withUnsafeBytes { try write($0, layout.norm(row)) }
        try checksums.withUnsafeBytes { try write($0, layout.checksum(row)) }
    }
}
