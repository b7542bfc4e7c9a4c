/** A project of others, and the programs that such projects have in common: each prints what a sale has become. */

/** A project in a folder of its own, below the packages that npm has installed. */
export interface Project {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  /** Commands of the project; the last one prints the outcome. A first word that is no runtime is a file of an installed package. */
  readonly commands: ReadonlyArray<readonly [program: string, ...args: ReadonlyArray<string>]>
  /** What the last command prints. */
  readonly prints: RegExp
}

/** A card payment, as the text of a program. */
export const payment = `{
  clientOrderId: crypto.randomUUID(), amount: "10.42", currency: "USD",
  card: { number: "4444555566661111", holder: "ADA LOVELACE", expireMonth: 12, expireYear: 2035, cvv: "123" },
  customer: { email: "ada@example.com", address1: "1 St James's Square", city: "London", zipCode: "SW1Y 4JH", country: "GB", ipAddress: "203.0.113.7" }
}`

/** A sale and a decline at the gateway of the environment. The class of an error is the one that the program has imported. */
const selling = `
const sell = async () => {
  const pay = Pay.fromEnv()
  const payment = ${payment}
  const sale = await pay.cardSale(payment)
  if (!sale.ok) throw sale.error
  const card = { ...payment.card, cvv: "116" }
  const { error } = await pay.cardSale({ ...payment, card, clientOrderId: crypto.randomUUID() })
  if (!(error instanceof PayError)) throw new Error("the class of an error is another")
  return [sale.order.status, error.name, error.constructor.name].join(" ")
}`
export const importing = `import { Pay, PayError } from "@pay/client"\n${selling}`
export const requiring = `const { Pay, PayError } = require("@pay/client")\n${selling}`
export const printing = "\nsell().then((outcome) => console.log(outcome))\n"

export const sold = /^approved DeclinedError DeclinedError$/m

export const manifest = (type: string) => JSON.stringify({ private: true, type })
