/** The status of an execution of a flow, with the types of its result and error. Every engine shows the same. */
import { Cause, Exit, Result, Schema } from "effect"
import * as OpenEnds from "./OpenEnds.ts"

/** Something that an execution waits for: a clock, or a signal under a `key`, in each case at most until `dueAtMs`. */
export interface Wait {
  readonly name: string
  readonly dueAtMs: number
  readonly key: string | undefined
}

/** No flow was started under this identity. */
export class NotStarted extends Schema.TaggedError<NotStarted>()("NotStarted", { id: Schema.String }) {
  override get message(): string {
    return `${this.id} was never started on this engine. Compare the key, the client's login and its address with those of the call that started it`
  }
}

/** The status of an execution, with the result or the error of its flow once it has ended. */
export type ExecutionStatus<A, E> =
  | { readonly _tag: "Running" }
  /** The execution continues when one of `waits` completes. */
  | { readonly _tag: "Waiting"; readonly waits: ReadonlyArray<Wait> }
  /** The execution met a defect or a changed definition, which `on` describes. Repair it, then call `resume`. */
  | { readonly _tag: "Stuck"; readonly on: string }
  | { readonly _tag: "Succeeded"; readonly value: A }
  | { readonly _tag: "Failed"; readonly error: E }
  | { readonly _tag: "Interrupted" }

/** The status of an execution that runs. */
export const running: ExecutionStatus<never, never> = { _tag: "Running" }

/** The status of an execution that waits. */
export const waiting = (waits: ReadonlyArray<Wait>): ExecutionStatus<never, never> => ({ _tag: "Waiting", waits })

/** The status of an execution that is stuck. */
export const stuck = (on: string): ExecutionStatus<never, never> => ({ _tag: "Stuck", on })

/** Returns the status of an execution that an engine suspended because of this cause. */
export const stuckOn = (cause: Cause.Cause<never> | undefined): ExecutionStatus<never, never> =>
  stuck(cause === undefined ? "its cause is not known" : String(Cause.squash(cause)))

/** Returns the status of an execution from the outcome of its flow. */
export const ofResult = <A, E>(ended: Result.Result<A, E>): ExecutionStatus<A, E> =>
  Result.isSuccess(ended) ? { _tag: "Succeeded", value: ended.success } : { _tag: "Failed", error: ended.failure }

/** Returns the status of an execution from the exit of its program. */
export const ofExit = <A, E>(exit: Exit.Exit<A, E>): ExecutionStatus<A, E> => {
  if (Exit.isSuccess(exit)) return { _tag: "Succeeded", value: exit.value }
  const { cause } = exit
  const failure = cause.reasons.find(Cause.isFailReason)
  if (failure !== undefined) return { _tag: "Failed", error: failure.error }
  return Cause.hasInterruptsOnly(cause) ? { _tag: "Interrupted" } : { _tag: "Stuck", on: String(Cause.squash(cause)) }
}

/**
 * Whether an attempt that ended so is followed by another one. A refusal that left nothing behind has left the name of the action
 * free, so that also another payload may follow.
 */
export const isFollowed = (
  status: ExecutionStatus<unknown, unknown>,
  { isOther, openEnds }: { readonly isOther: boolean; readonly openEnds: OpenEnds.Ids }
): boolean => {
  if (isOther) return status._tag === "Failed" && OpenEnds.isRefusal(status.error) && openEnds?.length === 0
  if (status._tag === "Failed") return OpenEnds.isRefusal(status.error) || OpenEnds.isRetryable(status.error)
  return status._tag === "Interrupted"
}

/** Returns the status as text for messages. */
export const explain = (flowStatus: ExecutionStatus<unknown, unknown>): string =>
  flowStatus._tag === "Stuck" ? `is stuck: ${flowStatus.on}` : `is ${flowStatus._tag.toLowerCase()}`
