/** The simulated bank, payout rail, 3-D Secure server and clock as one layer. Nothing here is loaded in production. */
import { BankBooks, RailBooks } from "@pay/gateway/BankBooks"
import { PublicAddress, SteadyClock } from "@pay/gateway/Gateway"
import { Settings } from "@pay/gateway/Settings"
import { Effect, Layer } from "effect"
import { RailControl } from "./RailControl.ts"
import * as SandboxAcquirer from "./SandboxAcquirer.ts"
import * as SandboxClock from "./SandboxClock.ts"
import { SandboxControl } from "./SandboxControl.ts"
import * as SandboxPayoutRail from "./SandboxPayoutRail.ts"
import * as SandboxTestMode from "./SandboxTestMode.ts"
import * as SandboxThreeDS from "./SandboxThreeDS.ts"

export type { JournalError } from "./Journal.ts"
export type { OffsetError } from "./Offset.ts"

/** The options of all simulators. */
export type Options = SandboxAcquirer.Options &
  SandboxPayoutRail.Options &
  SandboxThreeDS.Options &
  SandboxClock.Options

/** The simulated bank's books, as the reconciliation reads them. */
const bankBooks = Layer.effect(
  BankBooks,
  Effect.map(SandboxControl, ({ books }) => BankBooks.checked({ bookings: books.list, totals: books.totals }))
)

/** The simulated payout rail's ledger, as the reconciliation reads it. */
const railBooks = Layer.effect(
  RailBooks,
  Effect.map(RailControl, ({ books }) => RailBooks.checked({ bookings: books.list, totals: books.totals }))
)

/** A bank, a payout rail and a 3-D Secure server with its issuers, on the clock of the context. */
export const bankLayer = (options: Omit<Options, keyof SandboxClock.Options> = {}) =>
  Layer.fresh(
    Layer.provideMerge(
      Layer.merge(bankBooks, railBooks),
      Layer.mergeAll(
        SandboxAcquirer.layer(options),
        SandboxPayoutRail.layer(options),
        SandboxThreeDS.layer(options),
        SandboxTestMode.layer
      )
    )
  )

/**
 * Adds a movable clock to {@link bankLayer}. Two layers share nothing except the files in their options.
 *
 * ```ts
 * gateway.pipe(Layer.provideMerge(SandboxWorld.layer({ journalPath: "bank.jsonl" })))
 * ```
 */
export const layer = (options: Options = {}) =>
  Layer.fresh(Layer.merge(bankLayer(options), Layer.provide(SandboxClock.layer(options), SteadyClock.layer)))

/**
 * Makes {@link layer} for a gateway with these settings that is built together with it. Both have one `PublicAddress`, so the
 * issuer's pages are under the gateway's address. This includes a port that is only known once the gateway listens.
 */
export const beside = (settings: Settings, options: Options = {}) =>
  Layer.unwrap(Effect.map(PublicAddress, ({ baseUrl }) => layer({ publicBaseUrl: baseUrl, ...options }))).pipe(
    Layer.provide(PublicAddress.layer),
    Layer.provide(Layer.succeed(Settings, settings))
  )
