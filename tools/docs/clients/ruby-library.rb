# Drives the public Ruby library against a gateway: FOLDER BASE_URL LOGIN KEY ENDPOINT.
# Prints a line for each promise: `ok` or `FAILED`, a tab, and what was tried.
require 'securerandom'
code, base_url, login, key, endpoint = ARGV
$LOAD_PATH.unshift("#{code}/lib", "#{code}/lib/paynet_easy/paynet_easy_api", "#{code}/lib/paynet_easy")
require 'paynet_easy_api'

include PaynetEasy::PaynetEasyApi
include PaynetEasy::PaynetEasyApi::PaymentData

def attempt(what)
  problem = yield
  puts problem.nil? ? "ok\t#{what}" : "FAILED\t#{what}\t#{problem}"
rescue Exception => e
  puts "FAILED\t#{what}\t#{e.class}: #{e.message.gsub(/\s+/, ' ')}"
end

def same(expected, actual)
  expected == actual ? nil : "#{actual} instead of #{expected}"
end

config = QueryConfig.new({
  'end_point' => endpoint.to_i, 'login' => login, 'signing_key' => key,
  'redirect_url' => 'https://shop.example/back', 'callback_url' => 'https://shop.example/callback',
  'gateway_mode' => QueryConfig::GATEWAY_MODE_SANDBOX,
  'gateway_url_sandbox' => base_url, 'gateway_url_production' => base_url
})
make = lambda do |cvv2|
  PaymentTransaction.new({
    'payment' => Payment.new({
      'client_id' => "rb-#{SecureRandom.hex(5)}", 'description' => 'A payment of the Ruby library',
      'amount' => 10.5, 'currency' => 'USD',
      'customer' => Customer.new({'email' => 'vass.pupkin@example.com', 'ip_address' => '127.0.0.1'}),
      'billing_address' => BillingAddress.new({
        'country' => 'US', 'state' => 'TX', 'city' => 'Houston', 'first_line' => '2704 Colonial Drive',
        'zip_code' => '77002', 'phone' => '660-485-6353'
      }),
      'credit_card' => CreditCard.new({
        'card_printed_name' => 'Vasya Pupkin', 'credit_card_number' => '4444 5555 6666 1111',
        'expire_month' => '12', 'expire_year' => '30', 'cvv2' => cvv2
      })
    }),
    'query_config' => config
  })
end
follow = ->(transaction) { PaymentTransaction.new({'payment' => transaction.payment, 'query_config' => config}) }
processor = PaymentProcessor.new({PaymentProcessor::HANDLER_CATCH_EXCEPTION => ->(e, *) { raise e }})
ends = lambda do |transaction|
  50.times do
    break unless transaction.processing?
    processor.execute_query 'status', transaction
    sleep 0.1 if transaction.processing?
  end
  transaction.status
end

sale = make.call('123')
attempt('sale and status') do
  processor.execute_query 'sale', sale
  same('approved', ends.call(sale))
end
attempt('return of the whole sale') do
  sale.payment.comment = 'The customer changed his mind'
  back = follow.call(sale)
  processor.execute_query 'return', back
  same('approved', ends.call(back))
end
attempt('preauth and capture') do
  hold = make.call('123')
  processor.execute_query 'preauth', hold
  ends.call(hold)
  capture = follow.call(hold)
  processor.execute_query 'capture', capture
  same('approved', ends.call(capture))
end
attempt('a declined sale') do
  declined = make.call('116')
  processor.execute_query 'sale', declined
  same('declined', ends.call(declined))
end
