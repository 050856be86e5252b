-- SPDX-License-Identifier: MIT
-- Arguments: FILE N. Runs with N threads and connections, behind report.lua and lines.lua.
-- Each thread signs in with the codes of every N-th line of FILE, `address code`, each once and from a network of its own.
function init(arguments)
   mails, position, step, refused, exhausted = lines_of(arguments[1]), id, tonumber(arguments[2]), 0, 0
end

function request()
   local mail = mails[position]
   if not mail then
      -- The run was longer than the mails lasted: what follows is no measurement, and the report says so.
      exhausted = exhausted + 1
      return wrk.format("GET", "/healthz")
   end
   local email, code = mail:match("^(%S+) (%d+)$")
   local network = "10." .. math.floor(position / 250) % 250 .. "." .. position % 250 .. ".1"
   position = position + step
   return wrk.format(
      "POST", "/verify", {["Content-Type"] = "application/json", ["X-Forwarded-For"] = network},
      '{"type":"email","email":"' .. email .. '","token":"' .. code .. '"}')
end

function response(status, headers, body)
   if status ~= 200 then refused = refused + 1 end
end
