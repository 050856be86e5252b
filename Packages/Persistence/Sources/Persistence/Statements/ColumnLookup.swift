// SPDX-License-Identifier: MIT

import CSQLite

/// Finds a statement's columns by the names that the program asks for.
///
/// A program reads each row alike. The lookup keeps the order in which it asked for names, and compares the address of
/// the next literal with that of the same position in the previous row: no name is compared once the first row is read.
/// Literals end with a NUL, so two with one address are the same text.
@usableFromInline
struct ColumnLookup {
    @usableFromInline
    struct Place {
        /// The literal's address; nil after the last place.
        @usableFromInline let name: UnsafePointer<UInt8>?
        @usableFromInline let index: Int32
    }

    /// The place that the next name is expected at.
    @usableFromInline var next: UnsafeMutablePointer<Place>
    /// The start of a row: the end while nothing is read of a run, so that its first name is looked up with care.
    private var first: UnsafeMutablePointer<Place>
    private var places: UnsafeMutablePointer<Place>
    private var count = 0
    private var capacity = 8
    /// The number of times that SQLite had prepared the statement anew, for a changed schema, when the places were
    /// found.
    private var preparations: Int32 = 0

    init() {
        places = .allocate(capacity: capacity)
        places.initialize(to: Place(name: nil, index: 0))
        (next, first) = (places, places)
    }

    func deallocate() {
        places.deallocate()
    }

    /// Prepares for a run of the statement, with other columns perhaps.
    mutating func beginRun() {
        first = places + count
    }

    mutating func beginRow() {
        next = first
    }

    /// The column of a name that was not expected here.
    @usableFromInline
    mutating func find(_ name: StaticString, in statement: OpaquePointer) throws -> Int32 {
        let preparations = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0)
        if preparations != self.preparations {
            self.preparations = preparations
            count = 0
        }
        first = places
        for place in 0..<count where places[place].name == name.utf8Start {
            next = places + place + 1
            return places[place].index
        }
        let index = try Self.index(of: name, in: statement)
        append(Place(name: name.utf8Start, index: index))
        return index
    }

    private mutating func append(_ place: Place) {
        if count + 2 > capacity {
            let larger = UnsafeMutablePointer<Place>.allocate(capacity: 2 * capacity)
            larger.moveInitialize(from: places, count: count)
            places.deallocate()
            (places, first, capacity) = (larger, larger, 2 * capacity)
        }
        places[count] = place
        count += 1
        places[count] = Place(name: nil, index: 0)
        next = places + count
    }

    private static func index(of name: StaticString, in statement: OpaquePointer) throws -> Int32 {
        let (wanted, names) = (name.description, names(in: statement))
        guard let index = names.firstIndex(of: wanted) else {
            throw DatabaseError(
                code: .missingColumn,
                message: "There is no column “\(wanted)” in the row, which has \(names.joined(separator: ", ")): "
                    + "correct the name, or add the column to the SELECT.")
        }
        guard names.lastIndex(of: wanted) == index else {
            throw DatabaseError(
                code: .missingColumn, message: "Two columns are called “\(wanted)”: rename one in the SELECT with AS.")
        }
        return Int32(index)
    }

    private static func names(in statement: OpaquePointer) -> [String] {
        (0..<sqlite3_column_count(statement)).map { name(of: $0, in: statement) }
    }

    static func name(of index: Int32, in statement: OpaquePointer) -> String {
        sqlite3_column_name(statement, index).map { String(cString: $0) } ?? ""
    }
}
