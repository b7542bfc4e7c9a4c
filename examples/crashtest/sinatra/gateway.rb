# frozen_string_literal: true

require "digest"
require "json"
require "net/http"
require "rack/utils"

# The gateway's interface, signed by hand as its documentation describes it.
module Gateway
  LOGIN, ENDPOINT, KEY = ENV.values_at("PAY_LOGIN", "PAY_ENDPOINT_ID", "PAY_CONTROL_KEY")
  TIMEOUT = ENV.fetch("SHOP_TIMEOUT_SECONDS", "5").to_f
  CALLBACK = "#{ENV.fetch('SHOP_URL')}/callback"
  CUSTOMER = {
    order_desc: "Two tickets", email: "ada@example.com", address1: "1 Main Street", city: "Los Angeles",
    zip_code: "90001", country: "US", state: "CA", card_printed_name: "ADA LOVELACE", currency: "USD"
  }.freeze

  module_function

  def sign(*values) = Digest::SHA1.hexdigest(values.join + KEY)

  # Returns the gateway's answer, or nothing: then the outcome is unknown, which is not a failure.
  def post(operation, fields, headers = {})
    uri = URI("#{ENV.fetch('PAY_BASE_URL')}/api/v2/#{operation}/#{ENDPOINT}")
    request = Net::HTTP::Post.new(uri, { "Accept" => "application/vnd.pay+json", **headers })
    request.set_form_data(fields)
    # Without max_retries: 0, Net::HTTP would repeat some requests by itself.
    options = { open_timeout: TIMEOUT, read_timeout: TIMEOUT, write_timeout: TIMEOUT, max_retries: 0, use_ssl: uri.scheme == "https" }
    answer = Net::HTTP.start(uri.host, uri.port, **options) { |http| http.request(request) }
    body = JSON.parse(answer.body)
    body.is_a?(Hash) ? body : {}
  rescue SystemCallError, IOError, Timeout::Error, SocketError, Net::ProtocolError, Net::HTTPBadResponse, JSON::ParserError
    {}
  end

  # Returns whether the gateway has understood the request. If not, it has made no order of it.
  def sale?(order, card)
    name, amount = order.values_at("name", "amount")
    control = sign(ENDPOINT, name, amount.delete("."), CUSTOMER[:email])
    fields = { client_orderid: name, amount: amount, server_callback_url: CALLBACK, control: control }
    answer = post("sale", { **CUSTOMER, **card, **fields })
    answer["errors"].nil? || answer["merchant-order-id"] != name
  end

  # Refunds the whole order. A repeat under the same key is the same refund.
  def refund(order)
    name, amount, id = order.values_at("name", "amount", "gateway_id")
    fields = { login: LOGIN, client_orderid: name, orderid: id, amount: amount, currency: "USD" }
    control = sign(LOGIN, name, id, amount.delete("."), "USD")
    post("return", { **fields, server_callback_url: CALLBACK, control: control }, { "Idempotency-Key" => "refund-#{name}" })
  end

  # Returns status, id and whether it is refunded. "missing": the gateway does not have it. "unknown": nobody knows.
  def status(order)
    name, amount = order.values_at("name", "amount")
    answer = post("status", { login: LOGIN, client_orderid: name, control: sign(LOGIN, name) })
    return ["missing", nil, false] if answer["error-code"] == "54"
    # An answer about another order says nothing about this one.
    return ["unknown", nil, false] unless answer.values_at("merchant-order-id", "amount") == [name, amount]

    [answer["status"], answer["paynet-order-id"], answer["returned-amount"] == amount]
  end

  # Whether a callback is the gateway's. Nobody else has the key.
  def genuine?(query)
    signed = query.values_at("status", "orderid", "client_orderid").join
    Rack::Utils.secure_compare(sign(signed), query["control"].to_s)
  end
end
