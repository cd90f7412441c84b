import base64, hashlib, hmac, http.server, json, os, threading, time, urllib.error, urllib.parse, urllib.request

if missing := [name for name in ("API", "KEY", "SECRET") if not os.environ.get(name)]:
    raise SystemExit("Set the variables " + ", ".join(missing) + ".")
API, KEY, SECRET = (os.environ[name] for name in ("API", "KEY", "SECRET"))
FILE, EVERY_SECONDS = os.environ.get("FILE", "mirror.json"), float(os.environ.get("EVERY_SECONDS", 60))
lock = threading.RLock()
# Bookings by id, and the cursor from which the next changes are read.
kept = json.load(open(FILE)) if os.path.exists(FILE) else {"cursor": None, "bookings": {}}

def get(path, **query):
    url = API + path + ("?" + urllib.parse.urlencode(query) if query else "")
    for wait in (1, 2, 4, 8, 0):
        try:
            with urllib.request.urlopen(urllib.request.Request(url, headers={"X-API-Key": KEY}), timeout=20) as answer:
                return json.load(answer)
        except (urllib.error.URLError, OSError) as error:
            status = getattr(error, "code", 503)
            if not wait or 400 <= status < 500 and status != 429:
                raise
            headers = getattr(error, "headers", None) or {}
            time.sleep(float(headers.get("Retry-After", wait)))

def save():
    with open(FILE + ".new", "w") as file:
        json.dump(kept, file)
    os.replace(FILE + ".new", FILE)

def keep(bookings, **more):
    """Of two copies of a booking the higher revision is newer. The copy and the cursor are saved together."""
    with lock:
        for booking in bookings:
            known = kept["bookings"].get(str(booking["id"]), {"revision": 0})
            if booking["revision"] > known["revision"]:
                kept["bookings"][str(booking["id"])] = booking
        kept.update(more)
        save()

def erase(client_id):
    with lock:
        for booking in kept["bookings"].values():
            if booking["clientId"] == client_id:
                booking.update(client={"name": "", "phone": None, "email": None}, comment=None, cancelReason=None, metadata={})
        save()

def poll():
    """Reads what changed since the last poll; the first time everything. An erasure is a change like any other."""
    has_more = True
    while has_more:
        page = get("/bookings", sort="updatedAt", limit=100, **({"cursor": kept["cursor"]} if kept["cursor"] else {}))
        keep(page["data"], cursor=page["nextCursor"])
        has_more = page["hasMore"]

class Receiver(http.server.BaseHTTPRequestHandler):
    """A message makes the copy current at once. What is lost on the way, the next poll brings."""
    def do_POST(self):
        body, sent = self.rfile.read(int(self.headers["Content-Length"])), self.headers
        signed = f"{sent['webhook-id']}.{sent['webhook-timestamp']}.".encode() + body
        digest = hmac.new(base64.b64decode(SECRET.removeprefix("whsec_")), signed, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(digest)
        genuine = any(hmac.compare_digest(expected, one.encode()) for one in (sent["webhook-signature"] or "").split(" "))
        genuine = genuine and abs(time.time() - int(sent["webhook-timestamp"])) < 300
        self.send_response(200 if genuine else 401)
        self.end_headers()
        event = json.loads(body) if genuine else {}
        # The ids of a test message do not exist.
        if not genuine or event.get("test"):
            return
        data = event["data"]
        if event["event"].startswith("booking."):
            keep([get(f"/bookings/{data['bookingId']}")])
        if data.get("erased"):
            erase(data["clientId"])

server = http.server.ThreadingHTTPServer(("", int(os.environ.get("PORT", 8080))), Receiver)
print("Listening at", server.server_address, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
while True:
    try:
        poll()
    except Exception as error:
        print(error, flush=True)
    time.sleep(EVERY_SECONDS)
