/** Incidents of copied data folders. */
import { cpSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Effect, Exit } from "effect"
import * as ServerAccount from "../../postgres/ServerAccount.ts"
import { type Incident, logs, metric, readiness } from "../Incident.ts"
import * as Site from "../Site.ts"

/** Copies a data folder with its modes. */
const copy = (from: string, to: string) =>
  Effect.sync(() => cpSync(from, to, { recursive: true, preserveTimestamps: true }))

/** The settings of a gateway on this folder; the witness is its own file, or the usual one. */
const environment = (data: string, witness?: string) => ({
  PAY_DATA: data,
  ...(witness === undefined ? {} : { PAY_WITNESS: witness })
})

const start = (site: Site.FileSite, data: string, flag: string) =>
  Effect.gen(function* () {
    const gateway = yield* site.inPlaceOf(0, { env: environment(data), args: [flag] })
    yield* gateway.start
    return gateway
  })

/** A start that has to be refused. */
const refused = (site: Site.FileSite, what: string, data: string, witness?: string) =>
  Effect.gen(function* () {
    const port = yield* ServerAccount.freePort
    const gateway = yield* site.inPlaceOf(0, { env: environment(data, witness), port })
    const end = yield* Effect.exit(gateway.start)
    if (Exit.isSuccess(end)) yield* site.blame(`${what} was started, and nothing was asked`)
    yield* gateway.kill
  })

/** How often the bank was asked for its list of bookings. */
const lists = ({ bank }: Site.FileSite): number => bank.requests.get("list") ?? 0

export const folder: Incident<Site.FileSite> = {
  name: "folder-copied",
  happens:
    "the data folder is copied and started twice; then it is moved (--moved); then a copy is put back (--restored)",
  expects: [
    logs(
      /does not start.*is not the file in which this store was written last/,
      "refuses a copy, and names the two ways"
    ),
    logs(/Started as moved/, "says that it was moved"),
    logs(/No orders are taken until the bookings/, "says what a restored copy waits for"),
    readiness(503, "answers 503 while a restored copy asks the bank"),
    metric(/^pay_not_ready\{why="restoring"\}/, 1, "names the reason: restoring")
  ],
  run: (site) =>
    Effect.gen(function* () {
      const [usual] = site.gateways
      if (usual === undefined) return
      const at = (name: string) => join(site.disk.folder, name)
      yield* Effect.sleep("3 seconds")
      cpSync(site.witness, at("copied.witness"))
      yield* copy(site.data, at("copied"))
      yield* refused(site, "a copy of a running gateway", at("copied"), at("copied.witness"))

      yield* usual.stop
      yield* copy(site.data, at("moved"))
      const before = lists(site)
      const mover = yield* start(site, at("moved"), "--moved")
      yield* Site.allReady(site)
      if (lists(site) !== before) yield* site.blame("a folder that was moved asked the bank for its list of bookings")
      yield* refused(site, "the original of a moved folder", site.data)
      yield* Effect.sleep("3 seconds")

      yield* mover.stop
      yield* copy(at("moved"), at("restored"))
      const restorer = yield* start(site, at("restored"), "--restored")
      yield* Site.allReady(site)
      if (lists(site) === before) yield* site.blame("a restored copy took orders before it asked the bank for its list")
      yield* Effect.sleep("2 seconds")

      // A folder that is only renamed starts as before.
      yield* restorer.stop
      rmSync(site.data, { recursive: true })
      renameSync(at("restored"), site.data)
      yield* usual.start
    })
}
