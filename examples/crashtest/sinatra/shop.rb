# frozen_string_literal: true

# A careful shop on Sinatra with its own card form, and requests that it signs itself: ruby shop.rb

require "sinatra"
require "sqlite3"
require_relative "gateway"

DB = SQLite3::Database.new(ENV.fetch("SHOP_DATABASE", "shop.db"), results_as_hash: true)
DB.busy_timeout = 10_000
DB.execute("PRAGMA journal_mode = WAL")
DB.execute("CREATE TABLE IF NOT EXISTS orders (name TEXT PRIMARY KEY, amount TEXT NOT NULL, sent INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'open', gateway_id TEXT, shipped INTEGER NOT NULL DEFAULT 0, refund TEXT)")
ACCESS = Mutex.new
LOCKS = Array.new(1000) { Mutex.new } # In production, one row lock in the database for each order.

# Runs a statement, which commits by itself.
def sql(text, *values) = ACCESS.synchronize { DB.execute(text, values) }
def find(name) = sql("SELECT * FROM orders WHERE name = ?", name).first
def fail_order(name) = sql("UPDATE orders SET state = 'failed' WHERE name = ? AND state = 'open'", name)
def lock_of(name) = LOCKS[name.hash % LOCKS.size]

# Asks for the status, which alone decides, and records it.
def refresh(order)
  status, id, refunded = Gateway.status(order)
  name = order["name"]
  sql("UPDATE orders SET state = 'paid', shipped = 1, gateway_id = ? WHERE name = ?", id, name) if status == "approved"
  sql("UPDATE orders SET refund = 'done' WHERE name = ?", name) if refunded
  fail_order(name) if %w[declined filtered error].include?(status)
  status
end

# Sends a request, which was recorded before, until the status shows its outcome: for two seconds. The loop does the rest.
def pursue(name, column, open)
  [0.05, 0.1, 0.2, 0.4, 0.8].each do |seconds|
    order = find(name)
    return if order.nil? || order[column] != open

    yield order
    sleep(seconds)
    refresh(order)
  end
end

def buy(name, card)
  pursue(name, "state", "open") do |order|
    next if refresh(order) != "missing"
    # It may arrive later, also after this shop has stopped to wait for its answer.
    sql("UPDATE orders SET sent = ? WHERE name = ?", Time.now.to_i, name)
    # A request with a mistake, such as a wrong digit in the card number, fails. After every other answer the status decides.
    fail_order(name) if !Gateway.sale?(order, card) && refresh(order) == "missing"
  end
end

# It never arrived, and nobody tries any more. A later callback would still make it paid.
def given_up?(order)
  age = Time.now.to_i - order["sent"]
  refresh(order) == "missing" && age > ENV.fetch("SHOP_GIVE_UP_SECONDS", "900").to_i && refresh(order) == "missing"
end

# Continues what is not finished, also what the process before has begun.
def continue_orders
  sql("SELECT name FROM orders WHERE state = 'open' OR refund = 'asked'").map { |row| row["name"] }.each do |name|
    next unless lock_of(name).try_lock

    begin
      order = find(name)
      if order["refund"] == "asked"
        Gateway.refund(order)
        refresh(order)
      elsif given_up?(order)
        fail_order(name)
      end
    ensure
      lock_of(name).unlock
    end
  end
end

Thread.new do
  loop do
    continue_orders
    sleep(ENV.fetch("SHOP_POLL_SECONDS", "60").to_f)
  end
end

set bind: "127.0.0.1", port: ENV.fetch("PORT"), server: "puma", server_settings: { Threads: "0:32" }
set environment: :production, show_exceptions: false

def shown(name)
  content_type :json
  order = find(name) || { "state" => "new", "shipped" => 0, "refund" => nil }
  JSON.generate(state: order["state"], shipped: order["shipped"] == 1, refund: order["refund"])
end

get("/orders/:name") { |name| shown(name) }

post("/orders/:name") do |name|
  form = JSON.parse(request.body.read)
  # The order is stored before anything is sent. A second press, also after a restart, is the same order and the same payment.
  amount = format("%.2f", form["amount"])
  sql("INSERT OR IGNORE INTO orders (name, amount, sent) VALUES (?, ?, ?)", name, amount, Time.now.to_i)
  month, year = form["expires"].split("/")
  card = { credit_card_number: form["card"], cvv2: form["cvv2"], expire_month: month, expire_year: year, ipaddress: request.ip }
  lock_of(name).synchronize { buy(name, card) }
  shown(name)
end

post("/orders/:name/refund") do |name|
  sql("UPDATE orders SET refund = 'asked' WHERE name = ? AND state = 'paid' AND refund IS NULL", name)
  lock_of(name).synchronize { pursue(name, "refund", "asked") { |order| Gateway.refund(order) } }
  shown(name)
end

get("/callback") do
  halt 403 unless Gateway.genuine?(params)
  order = find(params["client_orderid"])
  # After any answer but 200 the gateway calls again.
  order.nil? ? 404 : refresh(order) == "unknown" ? 503 : 200
end
