/** Inputs of a shop in these tests. */

export const card = {
  number: "4444555566661111",
  expireMonth: 12,
  expireYear: 2035,
  cvv: "123",
  holder: "ADA LOVELACE"
}

export const customer = {
  email: "ada@example.com",
  phone: "+12025550123",
  address1: "1 St James's Square",
  city: "London",
  zipCode: "SW1Y 4JH",
  country: "GB",
  ipAddress: "203.0.113.7"
}

let latest = 0

/** Returns an unused order number. */
export const freshId = (): string => {
  latest += 1
  return `order-${latest}`
}

/** Returns a card payment with an unused order number. */
export const payment = () => ({ clientOrderId: freshId(), amount: "10.42", currency: "USD", card, customer })
