/**
 * `npm start -- --postgres`: two gateways on one database behind one address, and a merchant that sells continuously. When one
 * gateway is killed, sales continue. With `--once`, each gateway is killed once, and the program ends with the comparison of the
 * books.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Port from "@pay/schema/Port"
import { Effect } from "effect"
import * as ShopProcess from "../ShopProcess.ts"
import { bold, dim, row, say } from "../TerminalOutput.ts"
import { officePassword } from "../World.ts"
import * as Gateways from "./Gateways.ts"
import * as Sales from "./Sales.ts"

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "pay-demo-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** The number of orders that `--once` sells. `kills` maps a number of paid orders to the gateway that is killed at that point. */
const orders = 120
const kills: ReadonlyMap<number, number> = new Map([
  [30, 1],
  [80, 2]
])

const opened = Effect.fnUntraced(function* (port: number) {
  const folder = yield* temporaryFolder
  yield* say(bold("pay") + dim("  two gateways on one PostgreSQL database; the bank is simulated"), "")
  return {
    folder,
    gateways: yield* Gateways.make({ folder, port, onChange: (what) => say(row("", what)) })
  }
})

/** Sells while each gateway is killed once. Returns a message for each difference at the end. */
export const once = Effect.gen(function* () {
  const { gateways } = yield* opened(0)
  const paid = yield* Sales.sell(gateways.url, orders, (count) => {
    const number = kills.get(count)
    return number === undefined
      ? Effect.void
      : Effect.andThen(say(row(`${count} paid`, `kill -9 gateway ${number}`)), gateways.kill(number))
  })
  yield* say(row("paid", `${paid} of ${orders} orders`))
  const { discrepancies, orders: compared } = yield* Sales.reconcile(
    gateways.running()[0]?.operatorUrl ?? "",
    gateways.operatorToken
  )
  yield* say("", `Reconciliation: ${compared} orders, ${discrepancies.length} differences.`)
  return [
    ...discrepancies.map(({ actual, expected, where }) => `${where}: expected ${expected}, found ${actual}`),
    ...(compared === paid ? [] : [`${paid} orders were paid, and the books have ${compared}`])
  ]
}).pipe(Effect.scoped)

/** Sells one order per second until it is stopped, and prints the number of paid orders after every tenth. */
const selling = Effect.fnUntraced(function* (url: string): Effect.fn.Return<never, Sales.NotPaid> {
  let paid = 0
  return yield* Effect.forever(
    Effect.delay(
      Effect.tap(
        Sales.sell(url, 1, () => Effect.void),
        () => {
          paid += 1
          return paid % 10 === 0
            ? say(row(`${paid} paid`, dim("one order a second, through the address above")))
            : Effect.void
        }
      ),
      "1 second"
    )
  )
})

/** Runs the gateways, the shop and the sales until it is stopped. */
export const stay = Effect.gen(function* () {
  const port = yield* Port.config("PAY_PORT", 8080)
  const shopPort = yield* Port.config("SHOP_PORT", 8090)
  const { folder, gateways } = yield* opened(port)
  const shop = yield* ShopProcess.open({
    gateway: gateways.url,
    dataDirectory: join(folder, "shop"),
    port: shopPort,
    officePassword
  })
  yield* say(
    "",
    row("shop", shop),
    row("gateways", `${gateways.url}   ${dim("the address of both")}`),
    row("database", gateways.database),
    "",
    dim("  In another terminal, kill either of them; it is started again:"),
    `  kill -9 ${gateways.running()[0]?.processId}`,
    "",
    dim("  Ctrl-C stops it. This demonstration keeps nothing."),
    ""
  )
  return yield* selling(gateways.url)
}).pipe(Effect.scoped)
