/** Card numbers are nowhere in the clear, and a security code is gone when its authorisation has ended. */
import { Cvv } from "@pay/gateway/entities/Card"
import { OrderRequest } from "@pay/gateway/entities/OrderRequest"
import * as TestCards from "@pay/sandbox/TestCards"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import type { Change } from "../ShadowStore.ts"
import type { Check, Problems } from "./Check.ts"

const cardNumber = /^\d{13,19}$/

/** Every number that a merchant or a customer of the world may send. */
const numbers = new Set([
  ...TestCards.cards.map(({ number }) => number),
  ...Object.values(PayApi.operations).flatMap((operation) =>
    Object.entries(Sample.request(operation)).flatMap(([name, value]) =>
      /card/.test(name) && cardNumber.test(value) ? [value] : []
    )
  )
])

const inTheClear = new RegExp([...numbers].join("|"))
/** A security code by its name, as a request or a log would write it. */
const namedCode = /cvv2?"?[=:]"?\d{3}/i

/** The secrets in a text that people may read. */
export const inText = (where: string, text: string): Problems => [
  ...(inTheClear.test(text) ? [`${where} has a card number in the clear`] : []),
  ...(namedCode.test(text) ? [`${where} has a security code`] : [])
]

const textOf = ({ after = {} }: Change): string =>
  Object.values(after)
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value))
    .join("\n")

const creations: ReadonlySet<unknown> = new Set(["authorize", "sale", "verify", "transfer", "eligibility"])
const open: ReadonlySet<unknown> = new Set(["moving", "unknown"])

/** What one commit leaves in the clear, or leaves of a code whose authorisation it ends. */
export const ofCommit = (changes: ReadonlyArray<Change>, hasCode: (orderId: string) => boolean): Problems =>
  changes.flatMap((change) => {
    const { after, entity, key } = change
    const isEnd = entity === OrderRequest && creations.has(after?.action) && !open.has(after?.progress)
    const isKept = isEnd && hasCode(String(after?.orderId))
    return [
      ...inText(`${entity.name} ${key}`, textOf(change)),
      ...(isKept ? [`the security code of order ${after?.orderId} outlives request ${key}`] : [])
    ]
  })

export const secrets: Check = {
  name: "secrets",
  what: "No card number or security code is in the clear in a row, an answer, a callback or a line of the log; a security code is erased when its authorisation ends.",
  begin: ({ world }) => {
    const { callbacks, committed, exchanges, logs } = world
    let violations: Array<string> = []
    const observed = { callbacks: 0, exchanges: 0, logs: 0 }
    const hasCode = (orderId: string) => committed.row(Cvv, orderId) !== undefined
    committed.observe((changes) => void violations.push(...ofCommit(changes, hasCode)))
    const look = async () => {
      for (const { answer, path } of exchanges.slice(observed.exchanges))
        violations.push(...inText(`the answer of ${path}`, answer))
      for (const url of callbacks.slice(observed.callbacks)) violations.push(...inText("a callback", url))
      for (const line of logs.slice(observed.logs)) violations.push(...inText("the log", line))
      observed.exchanges = exchanges.length
      observed.callbacks = callbacks.length
      observed.logs = logs.length
      const now = violations
      violations = []
      return now
    }
    return {
      afterStep: look,
      atEnd: async () => [
        ...(await look()),
        ...committed.rows(Cvv).map(({ cardId }) => `the security code of order ${cardId} is still there in the end`)
      ]
    }
  }
}
