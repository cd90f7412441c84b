"""Books once and reads a feed: API=… KEY=… WEBHOOK=… SECRET=whsec_… BOOKING='{"serviceId": …}' ONCE=… python3 integrate.py"""
import base64, hashlib, hmac, http.client, json, os, time, urllib.error, urllib.request

NAMES = ("API", "KEY", "WEBHOOK", "SECRET", "ONCE", "BOOKING")
if missing := [name for name in NAMES if name not in os.environ]:
    raise SystemExit("Set the variables " + ", ".join(missing) + ".")
API, KEY, WEBHOOK, SECRET, ONCE, BOOKING = (os.environ[name] for name in NAMES)


def call(method, path, body=None, headers={}):
    """Waits as `Retry-After` says, and sends again what was not answered."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"X-API-Key": KEY, "Content-Type": "application/json", **headers}
    for attempt in range(5):
        wait = 2**attempt
        try:
            request = urllib.request.Request(API + path, data, headers, method=method)
            with urllib.request.urlopen(request, timeout=20) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code != 429 and error.code < 500 and "Retry-After" not in error.headers:
                raise SystemExit(error.read().decode())
            wait = float(error.headers.get("Retry-After", wait))
        except (OSError, http.client.HTTPException):
            pass
        except ValueError:
            raise SystemExit("The response is not JSON. Is API the base URL of the API?")
        time.sleep(wait)
    raise SystemExit("There is no answer.")


def is_genuine(headers, body):
    """The signature covers the id, the time and the text as it came."""
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body}".encode()
    digest = hmac.new(base64.b64decode(SECRET.removeprefix("whsec_")), signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    is_signed = any(hmac.compare_digest(expected, one) for one in headers["webhook-signature"].split(" "))
    return is_signed and abs(time.time() - int(headers["webhook-timestamp"])) < 300


booking = call("POST", "/bookings", json.loads(BOOKING), {"Idempotency-Key": ONCE})
print("booked", booking["id"])
# Without AFTER, the feed is read from its beginning.
after, has_more = int(os.environ.get("AFTER", "0")), True
while has_more:
    page = call("GET", f"/webhooks/{WEBHOOK}/feed?after={after}")
    for message in page["data"]:
        if not is_genuine(message["headers"], message["body"]):
            raise SystemExit(f"Message {message['number']} has a wrong signature. Correct SECRET, and continue with AFTER={after}.")
        after = message["number"]
        print(json.loads(message["body"])["event"], after)
    after, has_more = page["next"], page["hasMore"]
print("next", after)
