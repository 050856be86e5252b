// SPDX-License-Identifier: MIT

import CSQLite
import Glibc

/// The bytes of a vector index: written with `pwrite`, read through a mapping, in the order that survives a crash.
///
/// Rows are written beyond the header's count, and reach the disk before the header does.
final class VectorFile {
    let layout: VectorLayout
    /// The number of rows, removed ones included.
    private(set) var rows: Int
    /// The start of the mapping, from which the layout's offsets count.
    private(set) var base: UnsafeRawPointer
    private(set) var path: String
    let isInMemory: Bool
    private let descriptor: Int32
    private var sequence: UInt64
    private var mapped: Int

    /// Opens or creates a file, or one in memory when there is no path, and keeps it from all other writers.
    init(path: String?, dimension: Int) throws {
        let name = path ?? "the index in memory"
        descriptor = try path.map(Self.open) ?? csqlite_memory_file()
        self.path = name
        isInMemory = path == nil
        layout = VectorLayout(dimension: dimension)
        guard descriptor >= 0 else { throw DatabaseError(systemError: errno, doing: "open", path: name) }
        do {
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                throw errno == EWOULDBLOCK
                    ? DatabaseError(code: .busy, message: "Another program has \(name) open. Close it and try again.")
                    : DatabaseError(systemError: errno, doing: "lock", path: name)
            }
            if let path { try Self.requireInPlace(descriptor, path: path) }
            let header = try Self.header(of: descriptor, layout, path: name)
            (rows, sequence) = (header.rows, header.sequence)
            mapped = layout.size(rows: header.rows) ?? VectorLayout.headers
            base = try Self.map(descriptor, mapped, path: name)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        munmap(UnsafeMutableRawPointer(mutating: base), mapped)
        // Closing alone would leave the lock with a child that is between fork and exec and still has the open file.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Sets the path after a rename.
    func wasRenamed(to name: String) {
        path = name
    }

    func id(_ row: Int) -> Int64 { Int64(littleEndian: base.load(fromByteOffset: layout.id(row), as: Int64.self)) }

    /// A row's checksum as it is stored.
    func checksum(_ row: Int) -> UInt32 { base.load(fromByteOffset: layout.checksum(row), as: UInt32.self) }

    /// The lengths of a row and of those that follow it in its chunk; 0 for one that was removed.
    func norms(_ row: Int) -> UnsafePointer<Float> {
        (base + layout.norm(row)).assumingMemoryBound(to: Float.self)
    }

    func vector(_ row: Int) -> UnsafePointer<Float> {
        (base + layout.vector(row)).assumingMemoryBound(to: Float.self)
    }

    /// The scales that the codes of a row and of those that follow it in its chunk are multiplied by.
    func scales(_ row: Int) -> UnsafePointer<Float> {
        (base + layout.scale(row)).assumingMemoryBound(to: Float.self)
    }

    /// The relative errors of the codes of a row and of those that follow it in its chunk.
    func errors(_ row: Int) -> UnsafePointer<Float> {
        (base + layout.error(row)).assumingMemoryBound(to: Float.self)
    }

    func code(_ row: Int) -> UnsafePointer<Int8> { (base + layout.code(row)).assumingMemoryBound(to: Int8.self) }

    /// True if a row is as it was written.
    func isSound(_ row: Int) -> Bool {
        let vector = UnsafeRawBufferPointer(start: base + layout.vector(row), count: layout.bytesPerRow)
        let checksum = UInt32(littleEndian: checksum(row))
        guard checksum == VectorChecksum.ofRow(id: id(row), vector: vector) else { return false }
        let length = norms(row).pointee
        var code: [Int8] = []
        let (scale, error) = VectorCode.append(
            UnsafeBufferPointer(start: self.vector(row), count: layout.width), norm: length, to: &code)
        return scale == scales(row).pointee && error == errors(row).pointee
            && code.elementsEqual(UnsafeBufferPointer(start: self.code(row), count: layout.width))
    }

    /// True if the numbers that a search relies on are plausible.
    func isPlausible(_ row: Int) -> Bool {
        scales(row).pointee.isFinite && errors(row).pointee >= 0
    }

    /// Adds rows, all or none. When this returns, they survive power loss.
    func append(_ added: [(id: Int64, norm: Float, vector: [Float])]) throws {
        try append(added.count) { block, number in
            block.add(id: added[number].id, norm: added[number].norm, vector: added[number].vector)
        }
    }

    /// Adds rows of another file unchanged.
    func append(_ added: [Int], of file: VectorFile) throws {
        try append(added.count) { block, number in block.add(row: added[number], of: file) }
    }

    private func append(_ count: Int, _ fill: (inout VectorBlock, _ number: Int) -> Void) throws {
        guard count > 0 else { return }
        let (total, overflow) = rows.addingReportingOverflow(count)
        guard !overflow, let size = layout.size(rows: total) else {
            throw DatabaseError(code: .tooLarge, message: "\(path) cannot hold so many vectors.")
        }
        if size > mapped { try grow(to: size) }
        var block = VectorBlock(layout: layout)
        for number in 0..<count {
            fill(&block, number)
            let next = rows + number + 1
            if number == count - 1 || next % VectorLayout.rowsPerChunk == 0 {
                try block.write(at: next - block.count) { try write($0, at: $1) }
                block.removeAll()
            }
        }
        try synchronize()
        let header = VectorHeader(dimension: layout.dimension, sequence: sequence + 1, rows: total)
        try write(header.bytes, at: 0)
        try synchronize()
        // The second copy only replaces the first one, should that be damaged.
        try? write(header.bytes, at: VectorLayout.page)
        (rows, sequence) = (total, header.sequence)
    }

    /// Removes rows. When this returns, the removal survives power loss.
    func remove(_ removed: [Int]) throws {
        for row in removed { try write([0, 0, 0, 0], at: layout.norm(row)) }
        if !removed.isEmpty { try synchronize() }
    }

    private func write(_ bytes: [UInt8], at offset: Int) throws {
        try bytes.withUnsafeBytes { try write($0, at: offset) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        try Self.write(descriptor, bytes, at: offset, path: path)
    }

    private func synchronize() throws {
        guard fdatasync(descriptor) == 0 else { throw DatabaseError(systemError: errno, doing: "write", path: path) }
    }

    private func grow(to size: Int) throws {
        guard ftruncate(descriptor, size) == 0 else {
            throw DatabaseError(systemError: errno, doing: "extend", path: path)
        }
        let larger = try Self.map(descriptor, size, path: path)
        munmap(UnsafeMutableRawPointer(mutating: base), mapped)
        (base, mapped) = (larger, size)
    }
}
