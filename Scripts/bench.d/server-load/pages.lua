-- SPDX-License-Identifier: MIT
-- Arguments: FILE PATH. Runs behind report.lua and lines.lua. Each request asks for the path with another token of FILE.
function init(arguments)
   tokens, path, position, refused = lines_of(arguments[1]), arguments[2], id, 0
end

function request()
   position = position % #tokens + 1
   return wrk.format("GET", path, {["Authorization"] = "Bearer " .. tokens[position]})
end

function response(status, headers, body)
   if status ~= 200 then refused = refused + 1 end
end
