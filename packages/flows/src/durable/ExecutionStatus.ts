/** How a durable flow stands, as its types say it. */

import { FieldProblem } from "@pay/transport/PayError"
import type { Execution, Wait } from "@pay/workflow-sqlite/Executions"
import { Cause, Effect, Exit, Result, Schema } from "effect"
import type { Workflow } from "effect/workflow"
import type * as Flow from "../Flow.ts"
import * as FlowPayload from "../FlowPayload.ts"
import * as ReentryGuard from "../ReentryGuard.ts"

/** The flow cannot be kept as it is. */
export class FlowUnfit extends Schema.TaggedError<FlowUnfit>()("FlowUnfit", {
  flow: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.flow} cannot run durably: ${this.reason}`
  }
}

/** What was given is no payload of the flow, which TypeScript does not see in all cases: nothing was written down. */
export class PayloadInvalid extends Schema.TaggedError<PayloadInvalid>()("PayloadInvalid", {
  flow: Schema.String,
  problems: Schema.Array(FieldProblem)
}) {
  override get message(): string {
    return `${this.flow} was not started: ${this.problems.map(({ message }) => message).join("; ")}`
  }
}

/** Fails where the payload is none of the flow. */
export const fit = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written, R>(
  flow: Flow.Flow<N, P, A, E, R>,
  payload: Schema.Struct.Type<P>
): Effect.Effect<void, PayloadInvalid> => {
  const problems = FlowPayload.problemsOf(flow, payload)
  return problems.length === 0 ? Effect.void : Effect.fail(new PayloadInvalid({ flow: flow.name, problems }))
}

/** Nothing was started under this name. */
export class NotStarted extends Schema.TaggedError<NotStarted>()("NotStarted", { id: Schema.String }) {
  override get message(): string {
    return `${this.id} was never started here`
  }
}

export type ExecutionStatus<A, E> =
  | { readonly _tag: "Running" }
  /** It goes on by itself when one of these comes. */
  | { readonly _tag: "Waiting"; readonly waits: ReadonlyArray<Wait> }
  /** A defect, or a definition that changed: repair what `on` says, then `resume`. */
  | { readonly _tag: "Stuck"; readonly on: string }
  | { readonly _tag: "Succeeded"; readonly value: A }
  | { readonly _tag: "Failed"; readonly error: E }
  | { readonly _tag: "Interrupted" }

/** Returns the status of an execution that has not ended. */
export const open = <A, E>({ state, stuckOn, waits }: Execution): ExecutionStatus<A, E> => {
  if (state === "stuck") return { _tag: "Stuck", on: stuckOn ?? "" }
  return state === "waiting" ? { _tag: "Waiting", waits } : { _tag: "Running" }
}

/**
 * Returns the status of an execution that an engine suspended. Without a cause it runs on when it is woken. With a cause it is
 * stuck until the cause is repaired.
 */
export const suspended = ({ cause }: Workflow.Suspended): ExecutionStatus<never, never> =>
  cause === undefined ? { _tag: "Running" } : { _tag: "Stuck", on: String(Cause.squash(cause)) }

/** Returns the status of an execution that ended without an outcome. */
export const died = (cause: Cause.Cause<unknown>): ExecutionStatus<never, never> =>
  Cause.hasInterruptsOnly(cause) ? { _tag: "Interrupted" } : { _tag: "Stuck", on: String(Cause.squash(cause)) }

/** Returns the status of an execution that ended with an outcome of its flow. */
export const ended = <A, E>(outcome: Result.Result<A, E>): ExecutionStatus<A, E> =>
  Result.isSuccess(outcome) ? { _tag: "Succeeded", value: outcome.success } : { _tag: "Failed", error: outcome.failure }

/** Returns the status of an execution from the engine's result. */
export const of = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written, R>(
  flow: Flow.Flow<N, P, A, E, R>,
  result: Workflow.Result<unknown, unknown>
): ExecutionStatus<A["Type"], E["Type"]> => {
  if (result._tag === "Suspended") return { _tag: "Running" }
  const { exit } = result
  if (Exit.isFailure(exit)) return died(exit.cause)
  const isValue = Schema.is(flow.success)
  const isError = Schema.is(flow.error)
  if (Result.isResult(exit.value)) {
    if (Result.isSuccess(exit.value) && isValue(exit.value.success)) {
      return { _tag: "Succeeded", value: exit.value.success }
    }
    if (Result.isFailure(exit.value) && isError(exit.value.failure)) {
      return { _tag: "Failed", error: exit.value.failure }
    }
  }
  return { _tag: "Stuck", on: `what it ended with is no outcome of ${flow.name} any more` }
}

/** Whether it ended with an error that says that the same may be asked for again. */
export const isRetryable = (standing: ExecutionStatus<unknown, unknown>): boolean =>
  standing._tag === "Failed" && ReentryGuard.isRetryable(standing.error)

/** Whether it ended with an error that leaves open what was done. */
export const isOpenEnd = (standing: ExecutionStatus<unknown, unknown>): boolean =>
  standing._tag === "Failed" && !ReentryGuard.endsWithNothingDone(standing.error)

/** For people. */
export const explain = (standing: ExecutionStatus<unknown, unknown>): string =>
  standing._tag === "Stuck" ? `is stuck: ${standing.on}` : `is ${standing._tag.toLowerCase()}`
