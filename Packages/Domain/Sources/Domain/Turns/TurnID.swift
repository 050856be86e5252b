// SPDX-License-Identifier: MIT

/// The phantom entity of a turn: one question and its answer.
public enum Turn {}

/// The name that one turn carries through messages, log lines and the latency ledger.
public typealias TurnID = Identifier<Turn>
