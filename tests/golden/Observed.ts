/** The patterns of all texts that a simulation stores and sends, each with its place. */
import { Effect } from "effect"
import { run } from "../simulation/Simulation.ts"
import * as Storage from "../simulation/storage/Storage.ts"
import type { World } from "../simulation/World.ts"
import * as Pattern from "./Pattern.ts"

/** Columns whose content others choose, that is drawn by chance, signed or encrypted, or that people read. */
const free = new Set(
  `merchantId clientOrderId cardholder description email phone ipAddress country currency processorTxId
   approvalCode descriptor bin cardType masked callbackUrl redirectUrl merchants errorMessage reasonMessage
   pageToken nonce token material signature pareq recipient xid acsUrl methodUrl approver evidence
   redirectFailUrl redirectSuccessUrl merchantData note lastResult`.split(/\s+/)
)

const steps = 120

/** The seeds that together make the simulation write every kind of row: of the first sixteen, those that add one. */
export const seeds: ReadonlyArray<number> = [1, 3, 6, 7, 8, 9, 10, 13, 14, 16]

const parametersOf = (address: string): string =>
  [...new URL(address, "http://merchant").searchParams.keys()].sort().join(" ")

const isObject = (text: string): boolean => text.startsWith("{")

/** Returns the names in an object or a query. Returns the pattern of any other text. */
const textOf = (column: string, text: string): string => {
  if (column === "query") return parametersOf(`?${text}`)
  if (isObject(text)) return Object.keys(JSON.parse(text)).join(" ")
  return Pattern.of(text)
}

export const namesOf = async (seed: number): Promise<ReadonlySet<string>> => {
  const names = new Set<string>()
  const add = (place: string, text: string) => void names.add(`${place}: ${text}`)
  let world: World | undefined
  const watch = (begun: World) => {
    world = begun
    begun.committed.observe((changes) => {
      for (const { after = {}, entity } of changes) {
        for (const [column, value] of Object.entries(after)) {
          if (typeof value === "string" && !free.has(column)) add(`${entity.name}.${column}`, textOf(column, value))
        }
      }
    })
  }
  const { problems } = await run({ seed, steps, storage: Storage.memory, durable: false, watch })
  if (problems.length > 0 || world === undefined) throw new Error(`seed ${seed}: ${problems.join("\n")}`)
  for (const query of world.callbacks) add("callback", parametersOf(query))
  const booked = await Effect.runPromise(Effect.all([world.bank.books.all, world.rail.books.all]))
  for (const { request } of booked.flat()) add(`reference of ${request.kind}`, Pattern.of(request.reference))
  return names
}
