/** No card number is in clear text anywhere, and a security code is erased when its authorization ends. */
import { Cvv, OrderRequest } from "@pay/gateway/Entities"
import * as TestCards from "@pay/sandbox/TestCards"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import type { Change } from "../ShadowStore.ts"
import type { Check, Problems } from "./Check.ts"

const cardNumber = /^\d{13,19}$/

/** Every card number that a merchant or customer of the simulation may send. */
const numbers = new Set([
  ...TestCards.cards.map(({ number }) => number),
  ...Object.values(PayApi.operations).flatMap((operation) =>
    Object.entries(Sample.request(operation)).flatMap(([name, value]) =>
      /card/.test(name) && cardNumber.test(value) ? [value] : []
    )
  )
])

const inTheClear = new RegExp([...numbers].join("|"))
/** A security code next to its field name. */
const namedCode = /cvv2?"?[=:]"?\d{3}/i

/** Reports secrets in a text. */
export const inText = (where: string, text: string): Problems => [
  ...(inTheClear.test(text) ? [`${where} has a card number in clear text`] : []),
  ...(namedCode.test(text) ? [`${where} has a security code`] : [])
]

const textOf = ({ after = {} }: Change): string =>
  Object.values(after)
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value))
    .join("\n")

const creations: ReadonlySet<unknown> = new Set(["authorize", "sale", "verify", "transfer", "eligibility"])
const open: ReadonlySet<unknown> = new Set(["processing", "unknown"])

/** Reports secrets that a commit stores in clear text, and security codes that it keeps after their authorization. */
export const ofCommit = (changes: ReadonlyArray<Change>, hasCode: (orderId: string) => boolean): Problems =>
  changes.flatMap((change) => {
    const { after, entity, key } = change
    const isEnd = entity === OrderRequest && creations.has(after?.action) && !open.has(after?.progress)
    const isKept = isEnd && hasCode(String(after?.orderId))
    return [
      ...inText(`${entity.name} ${key}`, textOf(change)),
      ...(isKept ? [`the security code of order ${after?.orderId} is kept after request ${key}`] : [])
    ]
  })

export const secrets: Check = {
  name: "secrets",
  what: "No row, answer, callback or log line contains a card number or security code in clear text. A security code is erased when its authorization ends.",
  begin: ({ system }) => {
    const { callbacks, committed, exchanges, logs } = system
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
        ...committed.rows(Cvv).map(({ cardId }) => `the security code of order ${cardId} is still stored at the end`)
      ]
    }
  }
}
