/** The patterns of all texts that a simulation stores and sends, each with its place. */
import { Effect } from "effect"
import type { World } from "../simulation/World.ts"
import * as Pattern from "./Pattern.ts"

/** Columns whose content others choose, that is drawn by chance, signed or encrypted, or that people read. */
const free = new Set(
  `merchantId clientOrderId cardholder description email phone ipAddress country currency processorTxId
   approvalCode descriptor bin cardType masked callbackUrl redirectUrl merchants errorMessage reasonMessage
   pageToken nonce token material signature pareq recipient xid acsUrl methodUrl approver evidence
   redirectFailUrl redirectSuccessUrl merchantData note lastResult`.split(/\s+/)
)

const parametersOf = (address: string): string =>
  [...new URL(address, "http://merchant").searchParams.keys()].sort().join(" ")

const isObject = (text: string): boolean => text.startsWith("{")

/** Returns the names in an object or a query. Returns the pattern of any other text. */
const textOf = (column: string, text: string): string => {
  if (column === "query") return parametersOf(`?${text}`)
  if (isObject(text)) return Object.keys(JSON.parse(text)).join(" ")
  return Pattern.of(text)
}

export interface Observer {
  /** Starts to observe a world before its first step. */
  readonly watch: (world: World) => void
  /** Returns the patterns that the world has stored and sent until now. */
  readonly names: () => Promise<ReadonlySet<string>>
}

export const make = (): Observer => {
  const names = new Set<string>()
  const add = (place: string, text: string) => void names.add(`${place}: ${text}`)
  const worlds: Array<World> = []
  return {
    watch: (world) => {
      worlds.push(world)
      world.committed.observe((changes) => {
        for (const { after = {}, entity } of changes) {
          for (const [column, value] of Object.entries(after)) {
            if (typeof value === "string" && !free.has(column)) add(`${entity.name}.${column}`, textOf(column, value))
          }
        }
      })
    },
    names: async () => {
      for (const { bank, callbacks, rail } of worlds) {
        for (const query of callbacks) add("callback", parametersOf(query))
        const booked = await Effect.runPromise(Effect.all([bank.books.all, rail.books.all]))
        for (const { request } of booked.flat()) add(`reference of ${request.kind}`, Pattern.of(request.reference))
      }
      return names
    }
  }
}
