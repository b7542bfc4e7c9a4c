/** Everything encrypted under an older master key, re-encrypted under the current one. */
import { Effect } from "effect"
import * as KeyRotation from "../../retention/KeyRotation.ts"
import { type Handlers, WithStatus } from "./OperatorHandler.ts"

export const make = Effect.map(
  KeyRotation.makeJob,
  ({ begin, look }): Pick<Handlers, "showKeyRotation" | "beginKeyRotation"> => {
    const report = () => {
      const { failed, rewrapped, examined: count, state } = look()
      return { state, rows: count, reencrypted: rewrapped, failed }
    }
    return {
      showKeyRotation: () => Effect.sync(report),
      beginKeyRotation: (_, actor) => Effect.map(begin(actor), (begun) => new WithStatus(begun ? 202 : 409, report()))
    }
  }
)
