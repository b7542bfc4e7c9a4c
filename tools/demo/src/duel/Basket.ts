/** The order of the customer in the duel, with a card of the sandbox. No value is a secret. */

/** The `client_orderid` that the shop on `@pay/client` gives to the order. */
export const clientOrderId = "INV-1042"
export const amount = "48.00"
export const cents = 4800
export const email = "ada@example.com"
const number = "4444555566661111"
const cvv = "123"
const holder = "ADA LOVELACE"
const address = { address1: "1 St James's Square", city: "London", country: "GB" }

/** The fields of the protocol, as the checkout by hand sends them. */
export const fields = {
  ...address,
  order_desc: "A watering can",
  credit_card_number: number,
  card_printed_name: holder,
  expire_month: "12",
  expire_year: "2035",
  cvv2: cvv,
  zip_code: "SW1Y 4JH",
  phone: "+442079460000",
  ipaddress: "203.0.113.7"
}

/** The argument of `cardSale` of `@pay/client` for this order. */
export const payment = {
  clientOrderId,
  amount,
  currency: "USD",
  orderDesc: fields.order_desc,
  card: { number, holder, cvv, expireMonth: 12, expireYear: 2035 },
  customer: { ...address, email, zipCode: fields.zip_code, phone: fields.phone, ipAddress: fields.ipaddress }
}
