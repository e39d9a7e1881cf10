"""Run a small OpenID Connect provider on this machine, which signs in everyone as `person` without a password."""

import base64
import json
import secrets
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from joserfc import jwt
from joserfc.jwk import RSAKey


class OidcProvider(ThreadingHTTPServer):
    """A provider that serves until `shutdown`.

    person : the `sub` of the next user; asked : the sign-in requests.
    """

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.issuer = f"http://127.0.0.1:{self.server_port}"
        self.key = RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256", "kid": "only"})
        self.person, self.asked, self.codes = "anna", [], {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def id_token(self, code):
        """Return the signed claims of the person who belongs to a code. A code is valid once."""
        client, nonce, person = self.codes.pop(code)
        now = int(time.time())
        claims = {"iss": self.issuer, "sub": person, "aud": client, "iat": now, "exp": now + 600, "nonce": nonce,
                  "name": f"{person.title()} *Example*"}  # fmt: skip
        return jwt.encode({"alg": "RS256", "kid": "only"}, claims, self.key)


class _Handler(BaseHTTPRequestHandler):
    server: OidcProvider

    def do_GET(self):  # noqa: N802
        place = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(place.query))
        if place.path == "/.well-known/openid-configuration":
            at = self.server.issuer
            self._answer({
                "issuer": at, "authorization_endpoint": f"{at}/authorize", "token_endpoint": f"{at}/token",
                "jwks_uri": f"{at}/keys", "end_session_endpoint": f"{at}/end", "response_types_supported": ["code"],
                "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
            })  # fmt: skip
        elif place.path == "/keys":
            self._answer({"keys": [self.server.key.as_dict(private=False)]})
        elif place.path == "/authorize":
            self.server.asked.append(query)
            code = secrets.token_hex(8)
            self.server.codes[code] = query["client_id"], query.get("nonce"), self.server.person
            self._redirect(query["redirect_uri"], {"code": code, "state": query["state"]})
        elif place.path == "/end":
            self._redirect(query["post_logout_redirect_uri"], {})
        else:
            self.send_error(404)

    def do_POST(self):  # noqa: N802
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = dict(urllib.parse.parse_qsl(body))
        client = base64.b64decode(self.headers.get("Authorization", "").removeprefix("Basic ")).decode()
        if form.get("code") not in self.server.codes or client != "explorer:secret of the test":
            self._answer({"error": "invalid_grant"}, 400)
            return
        token = self.server.id_token(form["code"])
        self._answer({"access_token": secrets.token_hex(8), "token_type": "Bearer", "id_token": token})

    def _answer(self, content, status=200):
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _redirect(self, url, query):
        self.send_response(302)
        self.send_header("Location", f"{url}?{urllib.parse.urlencode(query)}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        """Do not log."""
