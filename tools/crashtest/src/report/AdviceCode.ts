/** The programs of the advice. The page about the crash test contains them, and a test compiles it. */

interface Code {
  readonly title: string
  /** What the program imports, by module. */
  readonly imports: Readonly<Record<string, string>>
  readonly text: string
}

const charge = `const pay = Pay.fromEnv()

/** The order with its \`clientOrderId\` is stored before the first call. A job calls again for each order that is open. */
const charge = async (payment: FlowInputs["cardSale"]) => {
  const sale = await pay.cardSale(payment)
  if (sale.ok) return "paid"
  if (sale.error.code === "NeedsAPerson") return "compare with the gateway"
  return sale.error.retryable ? "open" : "failed"
}`

const durable = `/** Address, login, keys and endpoint, and an \`encryptionKey\` of 32 bytes in base64. */
declare const settings: Omit<Durable.DurableOptions, "path">

/** Opened once at the start of the shop. It continues the payments of the process before. */
const pay = await Durable.open({ ...settings, path: "flows.db" })

/** Called again with the same values, also by the next process, it joins the payment or returns its outcome. */
const charge = (payment: FlowInputs["cardSale"]) => pay.cardSale(payment)`

const callback = `declare const orders: { readonly store: (clientOrderId: string, status: string) => Promise<void> }
const pay = Pay.fromEnv()

/** Returns the HTTP status of the answer. After any status but 200, the gateway calls again. */
const onCallback = async (request: ReceivedRequest) => {
  try {
    const { clientOrderId } = pay.callbacks.verify(request)
    const now = await pay.status(clientOrderId)
    if (!now.ok) return 503
    await orders.store(clientOrderId, now.order.status)
    return 200
  } catch (error) {
    if (error instanceof CallbackRefusedError) return 403
    throw error
  }
}`

const refund = `const pay = Pay.fromEnv()

/** The refund with its \`name\` is stored before the first call. The same name is the same refund. */
const refund = async (clientOrderId: string, name: string, amount: string) => {
  const sold = await pay.status(clientOrderId)
  if (!sold.ok) return "open"
  const refunded = await pay.refund(sold.order, { name, amount, reason: "returned" })
  if (refunded.ok) return "refunded"
  return refunded.error.retryable ? "open" : "failed"
}`

const payout = `const pay = Pay.fromEnv()

/** The payout with its \`clientOrderId\` is stored before the first call. A job calls again for each payout that is open. */
const payOut = async (clientOrderId: string, amount: string, accountNumber: string) => {
  const paid = await pay.payOut({ clientOrderId, amount, currency: "USD", accountNumber })
  if (paid.ok) return "paid"
  return paid.error.retryable ? "open" : "failed"
}`

const hosted = `const pay = Pay.fromEnv()

/** Returns the address of the gateway's page, on which the customer enters the card. The same order gets the same page. */
const checkout = async (order: HostedInputs["sale"]) => {
  const page = await pay.hosted.sale(order)
  if (!page.ok) throw page.error
  return page.url
}`

const client = "@pay/client"

const programs = {
  charge: { title: "A payment that is charged once", imports: { [client]: "type FlowInputs, Pay" }, text: charge },
  durable: {
    title: "Payments that continue after a restart",
    imports: { [client]: "type FlowInputs", [`${client}/durable`]: "* as Durable" },
    text: durable
  },
  callback: {
    title: "Verified callbacks and outcomes from status",
    imports: { [client]: "CallbackRefusedError, Pay, type ReceivedRequest" },
    text: callback
  },
  refund: { title: "A refund that happens once", imports: { [client]: "Pay" }, text: refund },
  payout: { title: "A payout that happens once", imports: { [client]: "Pay" }, text: payout },
  hosted: { title: "A shop that never receives a card", imports: { [client]: "type HostedInputs, Pay" }, text: hosted }
} as const satisfies Readonly<Record<string, Code>>

export type Name = keyof typeof programs

/** The names of the programs, in the order of the page. */
export const names: ReadonlyArray<Name> = Object.keys(programs).filter((name): name is Name => name in programs)

const importLine = ([module, imported]: readonly [string, string]): string =>
  `import ${imported.startsWith("*") ? imported : `{ ${imported} }`} from ${JSON.stringify(module)}`

/** Returns a program with its imports. Its function is exported. */
export const whole = (name: Name): { readonly title: string; readonly text: string } => {
  const { imports, text, title } = programs[name]
  const lines = Object.entries(imports).map(importLine).join("\n")
  return { title, text: `${lines}\n\n${text.replace(/^(?=const \w+ = (?:async )?\()/m, "export ")}` }
}
