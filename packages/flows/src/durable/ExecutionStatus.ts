/** The status of the execution of a durable flow, with the types of its result and error. */

import { FieldProblem } from "@pay/transport/PayError"
import type { Execution, Wait } from "@pay/workflow-sqlite/Executions"
import { Cause, Effect, Exit, Result, Schema } from "effect"
import type { Workflow } from "effect/workflow"
import type * as Flow from "../Flow.ts"
import * as FlowPayload from "../FlowPayload.ts"
import * as ReentryGuard from "../ReentryGuard.ts"

/** The flow cannot run durably, because its data must not be stored as the layer stores it. */
export class FlowUnfit extends Schema.TaggedError<FlowUnfit>()("FlowUnfit", {
  flow: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.flow} cannot run durably: ${this.reason}`
  }
}

/** The value is not a payload of the flow, which types cannot detect in all cases. Nothing was stored. */
export class PayloadInvalid extends Schema.TaggedError<PayloadInvalid>()("PayloadInvalid", {
  flow: Schema.String,
  problems: Schema.Array(FieldProblem)
}) {
  override get message(): string {
    return `${this.flow} was not started: ${this.problems.map(({ message }) => message).join("; ")}`
  }
}

/** Validates the payload of a flow. */
export const fit = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written, R>(
  flow: Flow.Flow<N, P, A, E, R>,
  payload: Schema.Struct.Type<P>
): Effect.Effect<void, PayloadInvalid> => {
  const problems = FlowPayload.problemsOf(flow, payload)
  return problems.length === 0 ? Effect.void : Effect.fail(new PayloadInvalid({ flow: flow.name, problems }))
}

/** No flow was started under this identity. */
export class NotStarted extends Schema.TaggedError<NotStarted>()("NotStarted", { id: Schema.String }) {
  override get message(): string {
    return `${this.id} was never started here`
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

/** Returns the status of an execution that has not ended. */
export const open = <A, E>({ state, stuckOn, waits }: Execution): ExecutionStatus<A, E> => {
  if (state === "stuck") return { _tag: "Stuck", on: stuckOn ?? "" }
  return state === "waiting" ? { _tag: "Waiting", waits } : { _tag: "Running" }
}

/**
 * Returns the status of an execution that an engine suspended. Without a cause the execution continues when it is woken. With a
 * cause it is stuck until the cause is repaired.
 */
export const suspended = ({ cause }: Workflow.Suspended): ExecutionStatus<never, never> =>
  cause === undefined ? { _tag: "Running" } : { _tag: "Stuck", on: String(Cause.squash(cause)) }

/** Returns the status of an execution that ended without an outcome. */
export const endedByDefect = (cause: Cause.Cause<unknown>): ExecutionStatus<never, never> =>
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
  if (Exit.isFailure(exit)) return endedByDefect(exit.cause)
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
  return { _tag: "Stuck", on: `its stored outcome is not valid for ${flow.name} any more` }
}

/** Whether the execution ended with an error that is retryable. */
export const isRetryable = (flowStatus: ExecutionStatus<unknown, unknown>): boolean =>
  flowStatus._tag === "Failed" && ReentryGuard.isRetryable(flowStatus.error)

/** Whether the execution ended with an error that does not prove that nothing was done. */
export const isOpenEnd = (flowStatus: ExecutionStatus<unknown, unknown>): boolean =>
  flowStatus._tag === "Failed" && !ReentryGuard.endsWithNothingDone(flowStatus.error)

/** Returns the status as text for messages. */
export const explain = (flowStatus: ExecutionStatus<unknown, unknown>): string =>
  flowStatus._tag === "Stuck" ? `is stuck: ${flowStatus.on}` : `is ${flowStatus._tag.toLowerCase()}`
