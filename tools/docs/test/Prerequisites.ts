/** Makes what an operation's example requires, and returns it as the environment variables that its snippets read. */
import { randomUUID } from "node:crypto"
import type { OrderRef, Result } from "@pay/client"
import { card, customer } from "../../../packages/client/test/Samples.ts"
import * as ExampleRequest from "../src/snippets/ExampleRequest.ts"
import { merchant, type TestSandbox } from "./TestSandbox.ts"

export type Variables = Readonly<Record<string, string>>

const browser = {
  info: true,
  acceptHeader: "text/html",
  userAgent: "Mozilla/5.0",
  acceptLanguage: "en-GB",
  javascriptEnabled: true,
  javaEnabled: false,
  colorDepth: "24",
  screenHeight: "900",
  screenWidth: "1440",
  timeZone: "0"
} as const

const payment = ({ callbackUrl }: TestSandbox, number = "4444555566661111") => ({
  clientOrderId: `order-${randomUUID()}`,
  orderDesc: "Two tickets",
  amount: "10.42",
  currency: "USD",
  card: { ...card, number },
  customer,
  serverCallbackUrl: callbackUrl
})

const named = ({ clientOrderId, orderId }: OrderRef): Variables => ({
  PAY_CLIENT_ORDERID: clientOrderId,
  PAY_ORDERID: orderId
})

const must = <T extends object>(result: Result<T>): T => {
  if (result.ok) return result
  throw result.error
}

const sold = async (sandbox: TestSandbox) => must(await sandbox.pay.cardSale(payment(sandbox))).order

const stored = async (sandbox: TestSandbox): Promise<Variables> => ({
  PAY_CARDREFID: must(await sandbox.pay.storeCard(await sold(sandbox))).cardRefId
})

const subscribed = async (sandbox: TestSandbox): Promise<Variables> => {
  const subscription = await sandbox.pay.subscribe({ ...payment(sandbox), period: "monthly", interval: 1 })
  return { PAY_RECURRING_PAYMENT_ID: must(subscription).recurringPaymentId }
}

/** A sale that waits for an upload of 3-D Secure. */
const atIssuer = async (sandbox: TestSandbox, number: string): Promise<Variables> => {
  const endpointId = merchant.endpoints.threedsMerchant
  const redirectUrl = "https://shop.example/back"
  const sale = await sandbox.pay.api.sale({ ...payment(sandbox, number), browser, redirectUrl }, { endpointId })
  const { merchantOrderId, paynetOrderId } = must(sale).answer
  const clientOrderId = merchantOrderId ?? ""
  for (;;) {
    const { answer } = must(await sandbox.pay.api.status({ clientOrderId, orderId: paynetOrderId }, { endpointId }))
    if (answer.threedsStage === undefined) continue
    const names = { PAY_CLIENT_ORDERID: clientOrderId, PAY_ORDERID: paynetOrderId }
    return { ...names, PAY_THREEDS_TRANS_ID: answer.threedsServerTransId ?? "" }
  }
}

const confirmed = async (sandbox: TestSandbox, number: string): Promise<Variables> => {
  const variables = await atIssuer(sandbox, number)
  const result = await sandbox.confirmed(variables.PAY_ORDERID ?? "")
  const sent = result._tag === "CRes" ? { PAY_CRES: result.cres } : { PAY_PARES: result.pares, PAY_MD: result.md }
  return { ...variables, ...sent }
}

const reserved = async (sandbox: TestSandbox) => named(must(await sandbox.pay.authorize(payment(sandbox))).order)
const sale = async (sandbox: TestSandbox) => named(await sold(sandbox))

const checked = async (sandbox: TestSandbox): Promise<Variables> => {
  const { card: _, customer: __, ...fields } = payment(sandbox)
  return named(must(await sandbox.pay.checkPayOut({ ...fields, accountNumber: "DE89370400440532013000" })).order)
}

/** The functions that make the order of an operation. */
const orders: Readonly<Record<string, (sandbox: TestSandbox) => Promise<Variables>>> = {
  TDS_UPLOAD_CRES_RESULT: (sandbox) => confirmed(sandbox, "4444000011118888"),
  TDS_UPLOAD_METHOD_URL_RESULT: (sandbox) => atIssuer(sandbox, "4444020700000007"),
  TDS_UPLOAD_PARES_RESULT: (sandbox) => confirmed(sandbox, "4444024000000006"),
  CAPTURE: reserved,
  VOID: reserved,
  PAYOUT_V4_PAY: checked
}

/** Makes the orders, cards and recurring payments that the example names. */
export const of = async (sandbox: TestSandbox, example: ExampleRequest.ExampleRequest): Promise<Variables> => {
  const variables = ExampleRequest.needs(example).map(({ variable }) => variable)
  if (variables.includes("PAY_CARDREFID")) return stored(sandbox)
  if (variables.includes("PAY_RECURRING_PAYMENT_ID")) return subscribed(sandbox)
  if (variables.includes("PAY_CLIENT_ORDERID")) return (orders[example.operation.name] ?? sale)(sandbox)
  return {}
}
