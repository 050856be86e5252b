-- SPDX-License-Identifier: MIT
-- Arguments: FILE. Runs with as many threads as connections, behind report.lua and lines.lua.
-- Each thread has one connection and one session, and shows the token that the answer before gave it. Line `id` of FILE is
-- its first token.
function init(arguments)
   token, refused = lines_of(arguments[1])[id], 0
end

function request()
   return wrk.format(
      "POST", "/token?grant_type=refresh_token", {["Content-Type"] = "application/json"},
      '{"refresh_token":"' .. token .. '"}')
end

function response(status, headers, body)
   local next = body:match('"refresh_token":"([^"]+)"')
   if status == 200 and next then token = next else refused = refused + 1 end
end
