/**
 * Controls the simulated 3-D Secure world: sets the scenarios of later authentications, acts as the customer at a challenge, and
 * reads the issuer's records. For tests without a browser and for the sandbox server.
 */
import * as BrowserForm from "@pay/schema/BrowserForm"
import { Context, Data, Effect } from "effect"
import type { Choice, IssuerMessage } from "./Issuer.ts"
import type { Transaction } from "./ThreeDSRecord.ts"
import type { PartialScenario } from "./ThreeDSScenario.ts"

/** There is no such authentication, or it is in a state in which the step is not possible. */
export class NoSuchStep extends Data.TaggedError("NoSuchStep")<{ readonly name: string; readonly message: string }> {}

/**
 * The controls. `name` is a transaction id, a reference, or an order id for its latest authentication.
 *
 * ```ts
 * const { cres } = yield* control.play(orderId, "pass")
 * ```
 */
export class ThreeDSControl extends Context.Service<
  ThreeDSControl,
  {
    /** Plans the next new authentication. Plans queue. */
    readonly next: (scenario: PartialScenario) => Effect.Effect<void>
    /** Sets the scenario of every new authentication of the order. It takes precedence over those of `next`. */
    readonly forOrder: (orderId: string, scenario: PartialScenario) => Effect.Effect<void>
    /** Visits the method page. Returns `threeDSMethodData` as it comes back to the notification URL. */
    readonly method: (name: string) => Effect.Effect<string, NoSuchStep>
    /**
     * Acts as the customer at the challenge. Returns the message that the browser brings back. Once the challenge has ended,
     * every call returns the same message, whatever the choice is.
     */
    readonly play: (name: string, choice: Choice) => Effect.Effect<IssuerMessage, NoSuchStep>
    /** Delivers the issuer's report that was late or never came. */
    readonly report: (name: string) => Effect.Effect<void, NoSuchStep>
    readonly find: (name: string) => Effect.Effect<Transaction | undefined>
    readonly transactions: Effect.Effect<ReadonlyArray<Transaction>>
    /** Deletes scenarios and authentications, also in the journal. */
    readonly reset: Effect.Effect<void>
  }
>()("@pay/sandbox/ThreeDSControl") {}

/** What a flow asks of the customer's browser. */
interface Visit {
  readonly orderId: string
  readonly nextAction: { readonly _tag: string }
}

/**
 * Acts as the customer at the issuer's pages, and returns the fields that the browser posts back to the shop. It returns `undefined` for
 * a page of the gateway.
 *
 * ```ts
 * const customer = CustomerBrowser.layerTest(ThreeDSControl.customer("pass"))
 * ```
 */
export const customer = (choice: Choice) =>
  Effect.fnUntraced(function* ({ nextAction, orderId }: Visit) {
    const issuer = yield* ThreeDSControl
    switch (nextAction._tag) {
      case "Method":
        return { threeDSMethodData: yield* Effect.orDie(issuer.method(orderId)) }
      case "BrowserData":
        return BrowserForm.form
      case "Challenge":
      case "PaReq": {
        const message = yield* Effect.orDie(issuer.play(orderId, choice))
        return message._tag === "CRes" ? { cres: message.cres } : { PaRes: message.pares, MD: message.md }
      }
      default:
        return undefined
    }
  })
