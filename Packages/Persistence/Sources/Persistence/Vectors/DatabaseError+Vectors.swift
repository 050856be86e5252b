// SPDX-License-Identifier: MIT

extension DatabaseError.Code {
    /// A vector has another number of components than the index.
    public static let wrongDimension = DatabaseError.Code(rawValue: "wrongDimension")
}

extension DatabaseError {
    init(dimension: Int, wanted: Int) {
        self.init(
            code: .wrongDimension,
            message:
                "A vector of \(dimension) components does not fit an index of \(wanted): use the model that the index "
                + "was made with, or make a new index.")
    }

    init(damagedVectors path: String, detail: String) {
        self.init(
            code: .damaged,
            message: "\(path) is not a sound vector file (\(detail)). Nothing was deleted. Move it away with "
                + "Database.setAside and build the index anew.")
    }
}
