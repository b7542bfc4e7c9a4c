import base64
import hashlib
import hmac
import json
import pathlib
import subprocess
import sys
import tempfile
from urllib.parse import parse_qsl, quote, urlsplit

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
wrong = []


def read(name):
    return json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))


def check(about, right):
    if not right:
        wrong.append(about)
        print("wrong:", about, file=sys.stderr)


def encode(text):
    return quote(text, safe="")


file = read("control")
for vector in file["vectors"]:
    text = "".join(vector["values"]) + file["controlKey"]
    control = hashlib.sha1(text.encode()).hexdigest()
    check(vector["about"], text == vector["text"] and control == vector["control"])

file = read("oauth")
key_file = tempfile.NamedTemporaryFile("w", suffix=".pem")
key_file.write(file["privateKey"])
key_file.flush()


def sign(method, text):
    if method == "HMAC-SHA1":
        return hmac.new((encode(file["controlKey"]) + "&").encode(), text, hashlib.sha1).digest()
    openssl = ["openssl", "dgst", "-sha256", "-sign", key_file.name, "-binary"]
    return subprocess.run(openssl, input=text, capture_output=True, check=True).stdout


for vector in file["vectors"]:
    url = urlsplit(vector["url"])
    default = {"http": 80, "https": 443}[url.scheme]
    host = url.hostname + ("" if url.port in (None, default) else f":{url.port}")
    parameters = [*vector["parameters"], *parse_qsl(url.query, keep_blank_values=True)]
    parameters += [
        ("oauth_consumer_key", file["login"]),
        ("oauth_nonce", vector["nonce"]),
        ("oauth_signature_method", vector["signatureMethod"]),
        ("oauth_timestamp", vector["timestamp"]),
        ("oauth_version", "1.0"),
    ]
    pairs = sorted((encode(name), encode(value)) for name, value in parameters)
    joined = "&".join(f"{name}={value}" for name, value in pairs)
    base_string = "&".join(["POST", encode(f"{url.scheme}://{host}{url.path}"), encode(joined)])
    signature = base64.b64encode(sign(vector["signatureMethod"], base_string.encode())).decode()
    check(vector["about"], base_string == vector["baseString"] and signature == vector["signature"])

file = read("callbacks")
secret = hmac.new(file["controlKey"].encode(), b"pay/webhook/v1", hashlib.sha256).digest()
for vector in file["vectors"]:
    fields = dict(parse_qsl(vector["query"]))
    headers = vector["headers"]
    signed = fields["status"] + fields["orderid"] + fields["client_orderid"] + file["controlKey"]
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{vector['query']}"
    expected = hmac.new(secret, content.encode(), hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(expected).decode()
    valid = (
        hmac.compare_digest(hashlib.sha1(signed.encode()).hexdigest(), fields.get("control", ""))
        and signature in headers["webhook-signature"].split(" ")
        and abs(vector["nowSeconds"] - int(headers["webhook-timestamp"])) <= vector["toleranceSeconds"]
    )
    check(vector["about"], valid == vector["valid"])
sys.exit(1 if wrong else 0)
