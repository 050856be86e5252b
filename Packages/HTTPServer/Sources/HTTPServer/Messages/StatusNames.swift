// SPDX-License-Identifier: MIT

import CMicroHTTPD

/// The names of statuses, such as `Not Found` (RFC 9110 §15).
enum StatusNames {
    static func name(of status: Int) -> String {
        guard (100...999).contains(status), let name = MHD_get_reason_phrase_for(UInt32(status)) else {
            return "Unknown"
        }
        return String(cString: name)
    }
}
