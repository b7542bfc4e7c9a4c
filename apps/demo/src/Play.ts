/** Plays the story: sends each step through the real client, waits for its callback, asks its status, reads the books. */
import { Balance } from "@pay/gateway/entities/Ledger"
import * as Parity from "@pay/gateway/Parity"
import { Store } from "@pay/gateway/Store"
import * as Sandbox from "@pay/server/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import { Clock, Effect, Schema } from "effect"
import type { Note } from "./Earlier.ts"
import { Inbox } from "./Inbox.ts"
import * as Story from "./Story.ts"
import { balances, bold, dim, green, red, row, say, signed } from "./Telling.ts"

const { endpoints, login } = Sandbox.merchant
const Answer = Schema.Struct({ "paynet-order-id": Schema.String, "serial-number": Schema.String })
const readAnswer = Schema.decodeUnknownEffect(Answer)

/** Asks for the orders of earlier runs; answers what is missing. */
export const findAgain = Effect.fnUntraced(function* (notes: ReadonlyArray<Note>) {
  const client = yield* PayClient.PayClient
  if (notes.length === 0) return []
  const lost: Array<string> = []
  for (const { client_orderid, orderid, title } of notes) {
    const found = yield* Effect.option(client.status({ client_orderid, orderid }))
    if (found._tag === "None") lost.push(`order ${orderid} of an earlier run (${title}) is not there any more`)
  }
  yield* say(`Found again: ${notes.length - lost.length} of ${notes.length} orders of earlier runs.`, "")
  return lost
})

const differences = (step: Story.Step, status: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  Object.entries(step.expect)
    .filter(([name, expected]) => status[name] !== expected)
    .map(([name, expected]) => `${step.title}: ${name} should be ${expected}, is ${String(status[name])}`)

const books = Effect.gen(function* () {
  const store = yield* Store
  return yield* store.find(Balance, "key", { limit: 100 })
})

const play = Effect.fnUntraced(function* (step: Story.Step, note: Note | undefined, run: string) {
  const client = yield* PayClient.PayClient
  const inbox = yield* Inbox
  const clientOrderId = note?.client_orderid ?? `demo-${run}-${step.name}`
  const fields: Readonly<Record<string, string>> = {
    ...(note === undefined ? {} : { login, orderid: note.orderid }),
    client_orderid: clientOrderId,
    server_callback_url: inbox.url,
    ...step.fields
  }
  yield* say(bold(step.title), row("POST", `${step.operation.path}/${endpoints.usd}`))
  yield* say(row("control", signed(step.operation, fields, endpoints.usd)))
  const request = yield* Effect.fromResult(step.operation.decodeFields(fields)).pipe(Effect.orDie)
  const answer = yield* readAnswer(yield* client.call(step.operation, request))
  const orderid = answer["paynet-order-id"]
  yield* say(row("answer", `order ${orderid}, serial-number ${answer["serial-number"]}`))

  const callback = yield* inbox.about(answer["serial-number"])
  yield* say(
    row(
      "callback",
      `${callback.type} ${callback.status} ${callback.amount} ${callback.currency}, verified ${dim(callback.webhookId ?? "")}`
    )
  )
  const status = yield* client.status({ client_orderid: clientOrderId, orderid })
  const reason = status["error-message"] === undefined ? "" : ` (${status["error-code"]} ${status["error-message"]})`
  const wrong = differences(step, status)
  const mark = wrong.length === 0 ? green("✓") : red("✗")
  yield* say(
    row(
      "status",
      `${mark} ${status["transaction-type"]} ${status.status}${reason}: captured ${status["captured-amount"]}, returned ${status["returned-amount"]}, left ${status["remaining-amount"]}`
    ),
    row("books", ""),
    ...balances(yield* books),
    ""
  )
  return { note: { client_orderid: clientOrderId, orderid, title: step.title }, wrong }
})

/** All steps in their order, each waiting for the one before. */
export const story = Effect.gen(function* () {
  const run = (yield* Clock.currentTimeMillis).toString(36)
  const made = new Map<string, Note>()
  const wrong: Array<string> = []
  for (const step of Story.steps) {
    const played = yield* play(step, step.of === undefined ? undefined : made.get(step.of), run).pipe(
      Effect.timeoutOrElse({ duration: "30 seconds", orElse: () => Effect.succeed(undefined) })
    )
    if (played === undefined) {
      wrong.push(`${step.title}: no callback within 30 seconds`)
      break
    }
    wrong.push(...played.wrong)
    if (step.name !== undefined) made.set(step.name, played.note)
  }
  return { notes: [...made.values()], wrong }
})

/** The books recomputed, and compared with the simulated bank's own. */
export const parity = Effect.gen(function* () {
  const { entries, findings, orders } = yield* Parity.check
  yield* say(`Parity: ${orders} orders, ${entries} entries in the books, ${findings.length} differences.`)
  return findings.map(({ expected, found, where }) => `${where}: expected ${expected}, found ${found}`)
})
