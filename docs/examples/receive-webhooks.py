"""Receives webhooks with Python's standard library: SECRET=whsec_… python3 receive-webhooks.py"""
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300


def verify(secret, headers, body, now=None):
    """The event as a dict. Raises ValueError when the signature is wrong or older than five minutes.

    `body` is the bytes as they arrived: JSON that was parsed and printed again has other bytes.
    """
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    now = time.time() if now is None else now
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("The message is not fresh.")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    if not key:  # Anybody can sign with an empty key.
        raise ValueError("The secret is missing.")
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    # compare_digest takes as long for a wrong first byte as for a wrong last one.
    if not any(hmac.compare_digest(signature, expected) for signature in signatures):
        raise ValueError("The signature is wrong.")
    return json.loads(body)


class Hooks(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            event = verify(os.environ["SECRET"], self.headers, body)
        except ValueError as error:
            print(error, flush=True)
            self.answer(401)
            return
        # Store the event here, with its id: the same message may arrive twice. Work on it after the answer.
        print(event["event"], event["id"], flush=True)
        self.answer(200)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        """One line for each event is enough."""


if __name__ == "__main__":
    if not os.environ.get("SECRET"):
        raise SystemExit("Set the variable SECRET to the signing secret of the webhook.")
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 9000))), Hooks)
    print(f"Receiving at http://127.0.0.1:{server.server_port}/hooks", flush=True)
    server.serve_forever()
