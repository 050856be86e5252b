// SPDX-License-Identifier: MIT
import Testing

/// Tests of devices with clocks of their own run one at a time, and in a test target that runs by itself: what else computes
/// would take the processor from the sound server, which loses sound then.
@Suite(.serialized) enum InTurn {}
