// SPDX-License-Identifier: MIT

/// Thrown inside a body to make the server cut the connection, as a scenario wants it.
struct StreamCut: Error {}
