// SPDX-License-Identifier: MIT

// `import Echo` is the whole: conversations in text, and what EchoText exports with them.
@_exported public import EchoText
