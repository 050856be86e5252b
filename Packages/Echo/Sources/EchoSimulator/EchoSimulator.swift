// SPDX-License-Identifier: MIT

/// Answers as the API does, from scenarios and without a model.
public enum EchoSimulator {}
