/**
 * Card payments on Promises. Flows create or continue an order by your own name of it, survive lost answers, and never throw for a
 * business outcome.
 *
 * @module
 */
import "./OldNode.ts"

export type * from "./contract/Answers.ts"
export type * from "./contract/Api.ts"
export type * from "./contract/Client.ts"
export type * from "./contract/Flows.ts"
export type * from "./contract/Profile.ts"
export type { Facts } from "./Errors.ts"
export {
  AbandonedError,
  CallbackRefusedError,
  type Code,
  DeclinedError,
  type Evidence,
  FailedError,
  FilteredError,
  InvalidInputError,
  InvalidSettingError,
  NeedsAPersonError,
  NeverHappenedError,
  NotAuthenticatedError,
  NotSentError,
  OutcomeUnknownError,
  PayError,
  PayloadDiffersError,
  type Problem,
  RefusedError,
  StillUnknownError,
  StorageFailedError,
  UnreachableError
} from "./Errors.ts"
export * as Pay from "./Pay.ts"
