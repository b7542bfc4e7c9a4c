/**
 * Compares a gateway with a bare server: sales to their durable acknowledgement, and sales to their delivered callback. The three
 * servers take turns, so that a change of the machine's speed affects all of them.
 */
import * as Measure from "../Measure.ts"
import * as Load from "./Load.ts"
import * as Servers from "./Servers.ts"

const connections = 64
const turns = 7

export interface Compared {
  readonly bare: Servers.Server
  /** A gateway that does not carry out jobs. */
  readonly paused: Servers.Server
  readonly running: Servers.Server
}

/** The number of sales that each gateway makes with this number of sales a turn. */
export const salesOf = (salesPerTurn: number): number => salesPerTurn * (turns + 1)

/** Runs the turns, and stops the servers after `then`. `line`: the ids and the first measure of the two rows. */
export const run = async (
  servers: Compared,
  salesPerTurn: number,
  line: { readonly ids: readonly [string, string]; readonly measure: string; readonly limit: Measure.Limit },
  then: () => Promise<void> = async () => {}
): Promise<ReadonlyArray<Measure.Row>> => {
  const { bare, paused, running } = servers
  const listener = await Load.listen()
  const results: Record<keyof Compared, Array<Servers.Turn>> = { bare: [], paused: [], running: [] }
  try {
    for (let n = 0; n <= turns; n++) {
      const plain = Load.prepare(`plain-${n}`, salesPerTurn)
      const withCallback = Load.prepare(`with-callback-${n}`, salesPerTurn, listener.url)
      const turn = {
        bare: await Servers.turn(bare, salesPerTurn, () => Load.send(bare.port, plain, connections)),
        paused: await Servers.turn(paused, salesPerTurn, () => Load.send(paused.port, plain, connections)),
        running: await Servers.turn(running, salesPerTurn, async () => {
          await Load.send(running.port, withCallback, connections)
          await listener.received(salesPerTurn)
        })
      }
      if (n === 0) continue
      results.bare.push(turn.bare)
      results.paused.push(turn.paused)
      results.running.push(turn.running)
    }
    await then()
  } finally {
    for (const server of [bare, paused, running]) server.stop()
    listener.close()
  }
  const [accepted, delivered] = line.ids
  const row = (id: string, measure: string, ours: keyof Compared, baseline: keyof Compared, limit: Measure.Limit) =>
    Measure.row({ id, measure, ...Servers.compared(results[ours], results[baseline]), limit })
  return [
    row(
      accepted,
      `signed sale, acknowledged durably, ${connections} connections / ${line.measure}`,
      "paused",
      "bare",
      line.limit
    ),
    row(delivered, `the same to its final status and a delivered callback / ${accepted}`, "running", "paused", {
      atLeast: 0.25,
      aim: 0.35
    })
  ]
}
