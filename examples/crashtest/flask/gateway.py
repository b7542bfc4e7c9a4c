"""The gateway's interface, signed by hand as its documentation describes it."""
import hashlib
import hmac
import http.client
import json
import os
import urllib.error
import urllib.parse
import urllib.request

LOGIN, ENDPOINT = os.environ["PAY_LOGIN"], os.environ["PAY_ENDPOINT_ID"]
CALLBACK = os.environ["SHOP_URL"] + "/callback"
CUSTOMER = {
    "order_desc": "Two tickets", "email": "ada@example.com", "address1": "1 Main Street", "city": "Los Angeles",
    "zip_code": "90001", "country": "US", "state": "CA", "card_printed_name": "ADA LOVELACE", "currency": "USD",
}


def sign(*values):
    return hashlib.sha1(("".join(values) + os.environ["PAY_CONTROL_KEY"]).encode()).hexdigest()


def post(operation, fields, headers=None):
    """Return the gateway's answer, or nothing: then the outcome is unknown, which is not a failure."""
    request = urllib.request.Request(
        f"{os.environ['PAY_BASE_URL']}/api/v2/{operation}/{ENDPOINT}",
        urllib.parse.urlencode(fields).encode(),
        {"Accept": "application/vnd.pay+json", **(headers or {})},
    )
    try:
        try:
            answer = urllib.request.urlopen(request, timeout=float(os.environ.get("SHOP_TIMEOUT_SECONDS", "5")))
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            body = json.load(answer)
        return body if isinstance(body, dict) else {}
    except (OSError, ValueError, http.client.HTTPException):
        return {}


def sale(order, card):
    """Return whether the gateway has understood the request. If not, it has made no order of it."""
    name, amount = order["name"], order["amount"]
    control = sign(ENDPOINT, name, amount.replace(".", ""), CUSTOMER["email"])
    fields = {"client_orderid": name, "amount": amount, "server_callback_url": CALLBACK, "control": control}
    answer = post("sale", {**CUSTOMER, **card, **fields})
    return "errors" not in answer or answer.get("merchant-order-id") != name


def refund(order):
    """Refund the whole order. A repeat under the same key is the same refund."""
    name, amount, order_id = order["name"], order["amount"], order["gateway_id"]
    fields = {"login": LOGIN, "client_orderid": name, "orderid": order_id, "amount": amount, "currency": "USD"}
    control = sign(LOGIN, name, order_id, amount.replace(".", ""), "USD")
    post("return", {**fields, "server_callback_url": CALLBACK, "control": control}, {"Idempotency-Key": f"refund-{name}"})


def status(order):
    """Return status, id and whether it is refunded. "missing": the gateway does not have it. "unknown": nobody knows."""
    answer = post("status", {"login": LOGIN, "client_orderid": order["name"], "control": sign(LOGIN, order["name"])})
    if answer.get("error-code") == "54":
        return "missing", None, False
    # An answer about another order says nothing about this one.
    if answer.get("merchant-order-id") != order["name"] or answer.get("amount") != order["amount"]:
        return "unknown", None, False
    return answer["status"], answer["paynet-order-id"], answer["returned-amount"] == order["amount"]


def is_genuine(query):
    """Whether a callback is the gateway's. Nobody else has the key."""
    signed = sign(query.get("status", ""), query.get("orderid", ""), query.get("client_orderid", ""))
    return hmac.compare_digest(signed.encode(), query.get("control", "").encode())
