// SPDX-License-Identifier: MIT

import Echo

// `Echo` names the module and a type in it, so that a name of the module cannot be told apart from Domain's by its prefix.
typealias ModelConversation = Conversation
