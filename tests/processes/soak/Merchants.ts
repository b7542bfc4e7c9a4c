/**
 * Two merchants that use flows: one keeps them in memory, the other in a file. Processes of the second are killed at requests that chance
 * draws. Each purchase sells, gives a part back and pays out.
 */
import { join } from "node:path"
import type * as Chance from "@pay/crashtest/Chance"
import { CardSale } from "@pay/flows/CardPayment"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as FlowPayload from "@pay/flows/FlowPayload"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Clock, Context, Effect, Layer, Redacted, Schedule } from "effect"
import { temporaryFolder } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import * as MerchantProcesses from "../../harness/MerchantProcesses.ts"
import { Purchase } from "../../harness/processes/merchant.ts"
import type { Deployment } from "../Deployment.ts"
import * as Merchant from "../Merchant.ts"

export interface Merchants {
  /** The order of each purchase that has ended. */
  readonly inMemory: Array<string>
  readonly durable: Array<string>
  /** How often processes of the durable merchant were killed. */
  readonly deaths: () => number
  /** Purchases that ended otherwise than they should, in words. */
  readonly problems: Array<string>
}

const account = Redacted.make("DE89370400440532013000")
/** How many times as fast as wall time the pauses of the durable merchant's flows pass. */
const speed = 20
const lastRequest = 8
const pause = "1 second"

export const make = (): Merchants & { killed: number } => {
  const merchants = { inMemory: [], durable: [], problems: [], killed: 0, deaths: () => merchants.killed }
  return merchants
}

const payloadOf = (clientOrderId: string) =>
  Effect.map(
    Effect.orDie(Effect.fromResult(FlowPayload.decode(CardSale, Sample.request(PayApi.operations.SALE)))),
    (payment) => ({ ...payment, clientOrderId, accountNumber: account })
  )

/** Purchases one after another until that is over; an end that allows it is repeated. */
const buyInMemory = Effect.fnUntraced(function* (merchants: Merchants, isOver: () => boolean) {
  for (let n = 0; !isOver(); n += 1) {
    const payload = yield* payloadOf(`memory-${n}`)
    const end = yield* Effect.result(
      Effect.retry(Purchase.execute(payload), {
        while: ({ retryable }) => retryable,
        schedule: Schedule.spaced(pause)
      })
    )
    if (end._tag === "Success") merchants.inMemory.push(end.success.sold)
    else merchants.problems.push(`purchase memory-${n} ended with ${end.failure.message}`)
    yield* Effect.sleep(pause)
  }
})

const buyDurably = Effect.fnUntraced(function* (
  merchants: Merchants & { killed: number },
  { baseUrl, chance, folder, isOver }: Options & { readonly folder: string }
) {
  const sinceMs = yield* Clock.currentTimeMillis
  for (let n = 0; !isOver(); n += 1) {
    const task = { path: join(folder, "shop.db"), baseUrl, clientOrderId: `durable-${n}`, sinceMs, speed }
    const killMoments: MerchantProcesses.KillMoments = () =>
      chance.percent(60) && !isOver()
        ? { request: 1 + chance.below(lastRequest), when: chance.oneOf(["before", "after"]) }
        : undefined
    const end = yield* Effect.orDie(
      Effect.repeat(MerchantProcesses.runUntilEnd(task, killMoments), {
        until: ({ kills, flowStatus }) => {
          merchants.killed += kills
          return flowStatus === "Succeeded"
        },
        times: 20
      })
    )
    if (end.flowStatus === "Succeeded") merchants.durable.push(end.sold ?? "")
    else merchants.problems.push(`purchase durable-${n} ended with ${end.flowStatus}`)
    yield* Effect.sleep(pause)
  }
})

export interface Options {
  readonly baseUrl: string
  readonly chance: Chance.Chance
  readonly isOver: () => boolean
}

/** Both merchants buy until that is over, and bring to its end what they have begun. */
export const buy = Effect.fnUntraced(function* (merchants: Merchants & { killed: number }, options: Options) {
  const folder = yield* temporaryFolder
  const services = yield* Layer.build(
    Layer.mergeAll(Merchant.clientOf(options.baseUrl), CustomerBrowser.layerNone, FlowEngine.layerMemory)
  )
  yield* Effect.all(
    [
      Effect.provideContext(buyInMemory(merchants, options.isOver), services),
      buyDurably(merchants, { ...options, folder })
    ],
    { concurrency: 2, discard: true }
  )
})

/** Purchases of which the bank's books say otherwise than what was bought and given back. */
export const problems = (merchants: Merchants, { world }: Deployment) =>
  Effect.gen(function* () {
    const { books } = Context.get(world, SandboxControl)
    const wrong = [...merchants.problems]
    for (const orderId of [...merchants.inMemory, ...merchants.durable]) {
      const { capturedMinor, refundedMinor } = yield* books.totals(orderId)
      if (capturedMinor !== 1042 || refundedMinor !== 200)
        wrong.push(`a purchase's order ${orderId} was charged ${capturedMinor} and gave ${refundedMinor} back`)
    }
    return wrong
    // The bank tells what it has done until now by the clock of the world.
  }).pipe(Effect.provideContext(world))
