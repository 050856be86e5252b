// SPDX-License-Identifier: MIT

/// Exact nearest-neighbour search over vectors of single precision, such as embeddings, each with a number that
/// identifies its subject.
///
/// Nothing is approximated: a search looks at every vector, at first at a short form with a bound of its error, and its
/// result is that of computing every product. The vectors are in a mapped file, so that they are shared with the
/// system's cache and do not count as the program's own memory. Completed calls of `insert` and `remove` survive power
/// loss. One index at a time may have a file open. If another program cuts an open file short, reading it ends the
/// process (SIGBUS), as with every mapped file.
public actor VectorIndex {
    /// The number of components of each vector.
    public let dimension: Int
    private let path: String?
    private let threads: Int
    private let executor: ThreadExecutor
    private var file: VectorFile?
    private var rowOfID: [Int64: Int] = [:]
    private var isClosed = false

    /// The index's own thread: a scan would hold up a cooperative one, and reading a mapping may wait for the disk.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens an index, or creates it. The folder must exist.
    ///
    /// - Parameters:
    ///   - path: The file; nil for an index in memory.
    ///   - dimension: 1…16,384.
    ///   - threads: The number of threads of a search; 1 by default.
    /// - Throws: ``DatabaseError`` with `wrongDimension`, `damaged`, `busy`, or one of a file's errors.
    public init(at path: String?, dimension: Int, threads: Int = 1) async throws {
        guard VectorLayout.dimensions.contains(dimension) else {
            throw DatabaseError(
                code: .wrongDimension, message: "A vector has 1 to 16,384 components, not \(dimension).")
        }
        self.path = path
        self.dimension = dimension
        self.threads = max(1, threads)
        executor = try ThreadExecutor(name: "vectors")
        _ = try opened()
    }

    /// The number of vectors.
    public var count: Int { rowOfID.count }

    /// The vector with a number, or nil.
    public func vector(_ id: Int64) throws -> [Float]? {
        let file = try opened()
        return rowOfID[id].map { Array(UnsafeBufferPointer(start: file.vector($0), count: dimension)) }
    }

    /// Adds a vector, or replaces the one with its number.
    ///
    /// - Throws: As ``insert(_:)``.
    public func insert(_ vector: [Float], id: Int64) throws {
        try insert([(id: id, vector: vector)])
    }

    /// Adds vectors, all or none, and replaces those with the same numbers.
    ///
    /// - Throws: ``DatabaseError`` with `wrongDimension`; `invalidValue` for a component that is not finite, for a
    ///   length that is not within 1e-15…1e15 (zero, above all: it has no direction), and for a repeated number; or one
    ///   of a file's errors.
    public func insert(_ vectors: [(id: Int64, vector: [Float])]) throws {
        let file = try opened()
        guard Set(vectors.map(\.id)).count == vectors.count else {
            throw DatabaseError(code: .invalidValue, message: "Two of the vectors have the same number.")
        }
        let first = file.rows
        try file.append(try vectors.map { (id: $0.id, norm: try norm(of: $0.vector), vector: $0.vector) })
        // From here on, the newer row with a number is valid, also after a crash.
        let replaced = vectors.compactMap { rowOfID[$0.id] }
        for (offset, row) in vectors.enumerated() { rowOfID[row.id] = first + offset }
        try file.remove(replaced)
    }

    /// Removes vectors; unknown numbers are ignored. Their room is used again after ``compact()``.
    ///
    /// - Returns: The number of removed vectors.
    @discardableResult
    public func remove(_ ids: some Sequence<Int64> & Sendable) throws -> Int {
        let file = try opened()
        let removed = Set(ids).filter { rowOfID[$0] != nil }
        try file.remove(removed.compactMap { rowOfID[$0] })
        for id in removed { rowOfID[id] = nil }
        return removed.count
    }

    /// The vectors nearest to a query, nearest first; at the same score, the lower number first.
    ///
    /// - Parameters:
    ///   - query: Of the index's dimension; its length counts with `dotProduct` only.
    ///   - limit: The most vectors to return.
    ///   - metric: The measure of nearness.
    ///   - filter: The vectors to search.
    /// - Throws: ``DatabaseError`` with `wrongDimension` or `invalidValue`, as ``insert(_:)``.
    public func nearest(
        to query: [Float], limit: Int = 10, metric: VectorMetric = .cosine, filter: VectorFilter = .all
    ) throws -> [VectorMatch] {
        let file = try opened()
        let scan = VectorScan(
            file: file, query: query, norm: try norm(of: query), limit: max(0, min(limit, count)), metric: metric,
            filter: filter)
        if case .ids(let ids) = filter { return scan.matches(inRows: ids.compactMap { rowOfID[$0] }) }
        return scan.matches(threads: threads)
    }

    /// The number of removed and replaced vectors that still take up room: 5 bytes a component each, and time in every
    /// search.
    public var removedCount: Int { (file?.rows ?? 0) - count }

    /// Writes the remaining vectors into a new file, which takes the place of the old one when it is complete.
    ///
    /// Needs room for both meanwhile, and a time like that of inserting them; worth it when ``removedCount`` has
    /// reached about ``count``. A failure before the end, power loss included, leaves the old file as it was.
    ///
    /// - Returns: The number of removed vectors that are gone now.
    /// - Throws: ``DatabaseError`` with `diskFull` or another of a file's errors.
    @discardableResult
    public func compact() throws -> Int {
        let old = try opened()
        let rows = rowOfID.values.sorted()
        guard rows.count < old.rows else { return 0 }
        let new = try old.replaced(byRows: rows)
        for (row, oldRow) in rows.enumerated() { rowOfID[old.id(oldRow)] = row }
        file = new
        return old.rows - rows.count
    }

    /// Looks for vectors that differ from their written form; reads the whole file.
    ///
    /// - Returns: Their numbers, sorted; empty when all are sound.
    public func findDamage() throws -> [Int64] {
        let file = try opened()
        return rowOfID.filter { !file.isSound($0.value) }.map(\.key).sorted()
    }

    /// Closes the file. Later uses throw (`closed`).
    public func close() {
        isClosed = true
        file = nil
        rowOfID = [:]
    }

    private func opened() throws -> VectorFile {
        guard !isClosed else { throw DatabaseError(code: .closed, message: "The index was closed; open it again.") }
        if let file { return file }
        let opened = try VectorFile(path: path, dimension: dimension)
        var replaced: [Int] = []
        for row in 0..<opened.rows {
            let norm = opened.norms(row).pointee
            if norm == 0 { continue }
            guard VectorIndex.norms.contains(norm), opened.isPlausible(row) else {
                throw DatabaseError(damagedVectors: path ?? "memory", detail: "the numbers of row \(row) make no sense")
            }
            // There was a crash between the writing of a row and the removing of the one that it replaces.
            if let older = rowOfID.updateValue(row, forKey: opened.id(row)) { replaced.append(older) }
        }
        try opened.remove(replaced)
        file = opened
        return opened
    }

    /// Within these, no product of two vectors overflows or vanishes in single precision.
    private static let norms: ClosedRange<Float> = 1e-15...1e15

    private func norm(of vector: [Float]) throws -> Float {
        guard vector.count == dimension else { throw DatabaseError(dimension: vector.count, wanted: dimension) }
        let square = vector.reduce(into: 0.0) { $0 += Double($1) * Double($1) }
        let norm = Float(square.squareRoot())
        guard Self.norms.contains(norm) else {
            throw DatabaseError(
                code: .invalidValue,
                message: "A vector's length must be within 1e-15…1e15 and its components finite; this one's is \(norm)."
            )
        }
        return norm
    }
}
