"""A careful shop on Flask with its own card form, and requests that it signs itself."""
import collections
import os
import threading
import time

import flask
import gateway
from orders import fail, find, sql

app = flask.Flask(__name__)
locks = collections.defaultdict(threading.Lock)  # In production, one row lock in the database for each order.


def refresh(order):
    """Ask for the status, which alone decides, and record it."""
    status, gateway_id, is_refunded = gateway.status(order)
    if status == "approved":
        sql("UPDATE orders SET state = 'paid', shipped = 1, gateway_id = ? WHERE name = ?", gateway_id, order["name"])
    if is_refunded:
        sql("UPDATE orders SET refund = 'done' WHERE name = ?", order["name"])
    if status in ("declined", "filtered", "error"):
        fail(order["name"])
    return status


def pursue(name, is_open, send):
    """Send a request, which was recorded before, until the status shows its outcome: for two seconds. The loop does the rest."""
    for seconds in (0.05, 0.1, 0.2, 0.4, 0.8):
        order = find(name)
        if order is None or not is_open(order):
            return
        send(order)
        time.sleep(seconds)
        refresh(order)


def buy(name, card):
    def send(order):
        if refresh(order) != "missing":
            return
        # It may arrive later, also after this shop has stopped to wait for its answer.
        sql("UPDATE orders SET sent = ? WHERE name = ?", time.time(), name)
        # A request with a mistake, such as a wrong digit in the card number, fails. After every other answer the status decides.
        if not gateway.sale(order, card) and refresh(order) == "missing":
            fail(name)

    pursue(name, lambda order: order["state"] == "open", send)


def continue_orders():
    """Continue what is not finished, also what the process before has begun."""
    while True:
        for row in sql("SELECT name FROM orders WHERE state = 'open' OR refund = 'asked'"):
            if not locks[row["name"]].acquire(blocking=False):
                continue
            try:
                order = find(row["name"])
                is_old = time.time() - order["sent"] > float(os.environ.get("SHOP_GIVE_UP_SECONDS", "900"))
                if order["refund"] == "asked":
                    gateway.refund(order)
                    refresh(order)
                # It never arrived, and nobody tries any more. A later callback would still make it paid.
                elif refresh(order) == "missing" and is_old and refresh(order) == "missing":
                    fail(order["name"])
            finally:
                locks[row["name"]].release()
        time.sleep(float(os.environ.get("SHOP_POLL_SECONDS", "60")))


@app.get("/orders/<name>")
def show(name):
    order = find(name) or {"state": "new", "shipped": 0, "refund": None}
    return {"state": order["state"], "shipped": order["shipped"] == 1, "refund": order["refund"]}


@app.post("/orders/<name>")
def post_order(name):
    form = flask.request.json
    # The order is stored before anything is sent. A second press, also after a restart, is the same order and the same payment.
    sql("INSERT OR IGNORE INTO orders (name, amount, sent) VALUES (?, ?, ?)", name, f"{float(form['amount']):.2f}", time.time())
    month, year = form["expires"].split("/")
    card = {"credit_card_number": form["card"], "cvv2": form["cvv2"], "expire_month": month, "expire_year": year}
    with locks[name]:
        buy(name, {**card, "ipaddress": flask.request.remote_addr})
    return show(name)


@app.post("/orders/<name>/refund")
def post_refund(name):
    sql("UPDATE orders SET refund = 'asked' WHERE name = ? AND state = 'paid' AND refund IS NULL", name)
    with locks[name]:
        pursue(name, lambda order: order["refund"] == "asked", gateway.refund)
    return show(name)


@app.get("/callback")
def callback():
    if not gateway.is_genuine(flask.request.args):
        return "", 403
    order = find(flask.request.args["client_orderid"])
    # After any answer but 200 the gateway calls again.
    return "", 404 if order is None else 503 if refresh(order) == "unknown" else 200


if __name__ == "__main__":
    threading.Thread(target=continue_orders, daemon=True).start()
    app.run(port=int(os.environ["PORT"]), threaded=True)
