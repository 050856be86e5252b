# SPDX-License-Identifier: MIT
"""Signs in to parley-server by GoTrue's own client for Python (PyPI supabase_auth).

usage: gotrue_client.py ADDRESS... It writes "mail N" when it needs the N-th mail, and reads a line of JSON with its link and code.
Of several addresses each request goes to the next.
"""

import itertools
import json
import sys
import urllib.parse

import httpx
from supabase_auth import SyncGoTrueClient, SyncMemoryStorage
from supabase_auth.errors import AuthApiError, AuthInvalidJwtError

ADDRESS = sys.argv[1]
EMAIL = "ada@example.org"
RETURN = "http://127.0.0.1:9/back"
turns = itertools.cycle(httpx.URL(address) for address in sys.argv[1:])
send = httpx.HTTPTransport.handle_request


def send_to_next(transport, request):
    place = next(turns)
    request.url = request.url.copy_with(host=place.host, port=place.port)
    return send(transport, request)


httpx.HTTPTransport.handle_request = send_to_next


def client(flow):
    return SyncGoTrueClient(
        url=ADDRESS, flow_type=flow, auto_refresh_token=False, persist_session=True, storage=SyncMemoryStorage()
    )


def mail(number):
    print(f"mail {number}", flush=True)
    return json.loads(sys.stdin.readline())


def query(url, name):
    return urllib.parse.parse_qs(urllib.parse.urlparse(url).query)[name][0]


def refused(code, call, *arguments):
    try:
        call(*arguments)
    except AuthApiError as error:
        assert error.code == code, (error.code, code)
    else:
        raise AssertionError(f"{code} was expected")


# By code.
first = client("implicit")
first.sign_in_with_otp({"email": EMAIL})
code = mail(1)["code"]
wrong = "000000" if code != "000000" else "000001"
refused("otp_expired", first.verify_otp, {"email": EMAIL, "token": wrong, "type": "email"})
answer = first.verify_otp({"email": EMAIL, "token": code, "type": "email"})
assert answer.user.email == EMAIL and answer.user.role == "authenticated"
assert answer.user.app_metadata == {"provider": "email", "providers": ["email"]}
assert answer.user.user_metadata == {}

# The token's claims, by the published keys.
claims = first.get_claims()
assert claims["headers"]["alg"] == "ES256"
assert claims["claims"]["sub"] == answer.user.id and claims["claims"]["email"] == EMAIL
header, payload, signature = answer.session.access_token.split(".")
for forged in [
    f"{header}.{payload}.{'A' * len(signature)}",
    f"{header}.{payload}.{signature[:-4]}AAAA",
    f"{header}.{payload[:-4]}{'fQAA' if payload[-4:] != 'fQAA' else 'fQAB'}.{signature}",
]:
    try:
        first.get_claims(forged)
    except AuthInvalidJwtError:
        continue
    raise AssertionError("a forged token has claims")

# A refresh is another pair of the same account.
refreshed = first.refresh_session()
assert refreshed.session.refresh_token != answer.session.refresh_token
assert first.get_claims(refreshed.session.access_token)["claims"]["sub"] == answer.user.id

# Metadata.
changed = first.update_user({"data": {"name": "Ada", "count": 3, "tags": ["a", None, 1.5], "gone": True}})
assert changed.user.user_metadata == {"name": "Ada", "count": 3, "tags": ["a", None, 1.5], "gone": True}
first.update_user({"data": {"gone": None}})
assert first.get_user().user.user_metadata == {"name": "Ada", "count": 3, "tags": ["a", None, 1.5]}
refused("validation_failed", first.update_user, {"email": "eve@example.org"})

# By link, in a browser: with PKCE.
second = client("pkce")
second.sign_in_with_otp({"email": EMAIL, "options": {"email_redirect_to": RETURN}})
link = mail(2)["link"]
assert httpx.get(link).status_code == 200
pressed = httpx.post(f"{ADDRESS}/verify/confirm", data={"token": query(link, "token")})
assert pressed.status_code == 303 and pressed.headers["location"].startswith(RETURN)
answer = second.exchange_code_for_session({"auth_code": query(pressed.headers["location"], "code")})
assert answer.user.email == EMAIL and answer.user.user_metadata["name"] == "Ada"

# By link, in the program.
third = client("implicit")
third.sign_in_with_otp({"email": EMAIL})
answer = third.verify_otp({"token_hash": query(mail(3)["link"], "token"), "type": "magiclink"})
assert answer.user.email == EMAIL

# Signing out here, elsewhere, everywhere.
gone = third.get_session().refresh_token
third.sign_out({"scope": "local"})
assert third.get_session() is None
refused("session_not_found", client("implicit").refresh_session, gone)
assert first.get_user().user.email == EMAIL and second.get_user().user.email == EMAIL
second.sign_out({"scope": "others"})
assert second.get_user().user.email == EMAIL
refused("session_not_found", first.refresh_session)
last = second.get_session()
second.sign_out()
assert second.get_session() is None
refused("session_not_found", client("implicit").refresh_session, last.refresh_token)
refused("session_not_found", first.get_user, last.access_token)

health = httpx.get(f"{ADDRESS}/health").json()
assert health["name"] == "Parley" and health["version"], health
print("done", flush=True)
