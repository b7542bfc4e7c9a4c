/**
 * Says on the pages of a sandbox that no money moves, and which cards to type. A sandbox provides it. Production has none, and
 * shows none even if something provides it.
 */
import { Context, Effect } from "effect"
import { Settings } from "../kernel/Settings.ts"

export interface TestMode {
  readonly cards: ReadonlyArray<{
    readonly number: string
    readonly outcome: "approved" | "challenge" | "declined"
  }>
  /** What the issuer's page asks for. */
  readonly password: string
}

export const TestMode = Context.Reference<TestMode | undefined>("@pay/gateway/TestMode", {
  defaultValue: () => undefined
})

/** The test mode that pages may show. */
export const visible = Effect.gen(function* () {
  const { production } = yield* Settings
  return production ? undefined : yield* TestMode
})
