/** Everything encrypted under an older master key, re-encrypted under the current one. */
import { Effect } from "effect"
import * as KeyRotation from "../../retention/KeyRotation.ts"
import { type Handlers, WithStatus } from "./OperatorHandler.ts"

export const make = Effect.map(
  KeyRotation.makeJob,
  ({ begin, look }): Pick<Handlers, "showKeyRotation" | "beginKeyRotation"> => {
    const report = Effect.map(look, ({ failed, rewrapped, examined: count, state }) => ({
      state,
      rows: count,
      reencrypted: rewrapped,
      failed
    }))
    return {
      showKeyRotation: () => report,
      beginKeyRotation: (_, actor) =>
        Effect.flatMap(begin(actor), (begun) => Effect.map(report, (body) => new WithStatus(begun ? 202 : 409, body)))
    }
  }
)
