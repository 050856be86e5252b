# SPDX-License-Identifier: MIT
"""Administers parley-server by GoTrue's own client for Python (PyPI supabase_auth).

usage: gotrue_admin.py ADMIN-ADDRESS ADDRESS SERVICE-TOKEN. It writes "mail N" when it needs the N-th mail, and reads a
line of JSON with its link and code.
"""

import json
import sys
import uuid

from supabase_auth import SyncGoTrueClient, SyncMemoryStorage
from supabase_auth.errors import AuthApiError

ADMIN, ADDRESS, TOKEN = sys.argv[1:]


def client(address, headers=None):
    return SyncGoTrueClient(
        url=address, headers=headers, flow_type="implicit", auto_refresh_token=False, storage=SyncMemoryStorage()
    )


def mail(number):
    print(f"mail {number}", flush=True)
    return json.loads(sys.stdin.readline())


def refused(code, call, *arguments):
    try:
        call(*arguments)
    except AuthApiError as error:
        assert error.code == code, (error.code, code)
    else:
        raise AssertionError(f"{code} was expected")


admin = client(ADMIN, {"Authorization": f"Bearer {TOKEN}"}).admin
refused("bad_jwt", client(ADMIN, {"Authorization": "Bearer x"}).admin.list_users)
assert admin.list_users() == []

# Made by the operator.
made = admin.create_user({"email": "ada@example.org", "email_confirm": True, "user_metadata": {"name": "Ada"}}).user
assert made.email == "ada@example.org" and made.email_confirmed_at and made.user_metadata == {"name": "Ada"}
refused("email_exists", admin.create_user, {"email": "ada@example.org"})
refused("validation_failed", admin.create_user, {"email": "eve@example.org", "password": "secret"})
refused("validation_failed", admin.create_user, {"email": "no address"})

# Invited, and signed in by the mail.
invited = admin.invite_user_by_email("bob@example.org", {"data": {"team": "a"}}).user
assert invited.invited_at and not invited.email_confirmed_at and invited.user_metadata == {"team": "a"}
bob = client(ADDRESS)
answer = bob.verify_otp({"email": "bob@example.org", "token": mail(1)["code"], "type": "email"})
assert answer.user.id == invited.id and answer.user.email_confirmed_at
refused("email_exists", admin.invite_user_by_email, "bob@example.org")

# Found.
assert {user.email for user in admin.list_users()} == {"ada@example.org", "bob@example.org"}
assert len(admin.list_users(page=2, per_page=1)) == 1 and admin.list_users(page=3, per_page=1) == []
assert admin.get_user_by_id(invited.id).user == admin.update_user_by_id(invited.id, {}).user
refused("user_not_found", admin.get_user_by_id, str(uuid.uuid4()))

# Changed.
changed = admin.update_user_by_id(invited.id, {"user_metadata": {"team": "b", "more": 1}}).user
assert changed.user_metadata == {"team": "b", "more": 1}

# Blocked: the session ends, and the refresh says why.
blocked = admin.update_user_by_id(invited.id, {"ban_duration": "24h"}).user
assert blocked.banned_until
refused("user_banned", bob.refresh_session)
refused("user_banned", bob.get_user, answer.session.access_token)
assert admin.update_user_by_id(invited.id, {"ban_duration": "none"}).user.banned_until is None

# Signed out with the person's token, at the address of the administration.
bob.sign_in_with_otp({"email": "bob@example.org"})
answer = bob.verify_otp({"email": "bob@example.org", "token": mail(2)["code"], "type": "email"})
admin.sign_out(answer.session.access_token)
refused("session_not_found", bob.refresh_session)

# Deleted.
admin.delete_user(made.id)
refused("user_not_found", admin.get_user_by_id, made.id)
refused("validation_failed", admin.delete_user, invited.id, True)
assert [user.id for user in admin.list_users()] == [invited.id]
print("done", flush=True)
