/**
 * The engine whose flows survive the end of their process, in one file. Each completed step is on the disk before the next one
 * begins, and the next process continues from there. A file belongs to one process. For several machines, run the same flows on a
 * cluster.
 *
 * ```ts
 * const engine = Layer.mergeAll(CardSale.layer, Refund.layer).pipe(Layer.provideMerge(Durable.layer({ path: "flows.db", cipher })))
 * ```
 */
import { randomUUID } from "node:crypto"
import type { StoreRefused } from "@pay/sqlite/Durability"
import type { MigrationError } from "@pay/sqlite/Migration"
import * as OwnedFile from "@pay/sqlite/OwnedFile"
import type { SqliteError } from "@pay/sqlite/SqliteError"
import { type Execution, Executions, type StorageError } from "@pay/workflow-sqlite/Executions"
import * as Engine from "@pay/workflow-sqlite/WorkflowEngine"
import { type Context, Effect, Exit, Layer, Option, Scope } from "effect"
import { WorkflowEngine } from "effect/workflow"
import * as Attempts from "../engine/Attempts.ts"
import type * as Definition from "../engine/Definition.ts"
import * as ExecutionStatus from "../engine/ExecutionStatus.ts"
import { FlowEngine, type OpenExecution, type Shape } from "../engine/FlowEngine.ts"
import { compare } from "../engine/OpenExecutions.ts"
import { ignoredParts, splitPayload } from "../engine/StoredPayload.ts"
import { FlowUnfit, StorageFailed } from "../order/FlowError.ts"
import type { Cipher } from "./Cipher.ts"
import * as DurableFlow from "./DurableFlow.ts"
import * as PendingStarts from "./PendingStarts.ts"
import * as Programs from "./Programs.ts"
import * as ReplayOrder from "./ReplayOrder.ts"
import { Signals } from "./Signals.ts"
import * as ValueEncoding from "./ValueEncoding.ts"

/** The options of durable flows in one process. */
export interface Options {
  /**
   * The path of the file. It is created if it is missing, but its folder must exist. A second process on the same file is
   * refused. So is a file that was copied, or replaced by an older one; `path` with `.witness` has the number of its last commit.
   */
  readonly path: string
  /**
   * For one start after the file became another one. `moved`: the former file is not used any more. `restored`: it is a copy, or an
   * older state. Flows may then have done more than it contains, and each flow asks for the status before it acts.
   */
  readonly origin?: "moved" | "restored"
  /** Encrypts what is stored. Flows with card data need it. */
  readonly cipher?: Cipher | undefined
  /** Largest number of flows that run at the same time. The others wait in the file. Default 256. */
  readonly maxRunning?: number
  /** Longest time in milliseconds until a jump of the system clock is noticed. Default 10,000. */
  readonly tickMs?: number
}

/**
 * Runs flows durably until the scope ends. An execution of an earlier process continues when the `layer` of its flow is built.
 */
export const layer = (options: Options): Layer.Layer<FlowEngine, SqliteError | MigrationError | StoreRefused> => {
  const { cipher, origin, path, ...rest } = options
  return Layer.unwrap(
    Effect.map(OwnedFile.open({ path, origin }), ({ database, isRestored, sequence }) => {
      const engine = Engine.layer({ ...rest, database, sequence, cipher })
      const services = Layer.effect(FlowEngine, make({ isEncrypted: cipher !== undefined, isRestored }))
      return Layer.provide(services, Layer.provideMerge(Signals.layerEmbedded, engine))
    })
  )
}

/** Returns the error for callers of a flow. */
const failed =
  (flow: string) =>
  ({ message }: StorageError) =>
    new StorageFailed({ flow, reason: message })

const make = Effect.fnUntraced(function* ({
  isEncrypted,
  isRestored
}: {
  readonly isEncrypted: boolean
  readonly isRestored: boolean
}) {
  const executions = yield* Executions
  const engine = yield* WorkflowEngine.WorkflowEngine
  const signals = yield* Signals
  const scope = yield* Effect.scope
  const pendingStarts = PendingStarts.make()
  const programs = Programs.make()

  const statusOf = Effect.fnUntraced(function* <
    N extends string,
    P extends Definition.Fields,
    A extends Definition.Written,
    E extends Definition.Written,
    R
  >(flow: Definition.Definition<N, P, A, E, R>, { executionId, state, stuckOn = "", waits }: Execution) {
    if (state === "stuck") return ExecutionStatus.stuck(stuckOn)
    if (state === "waiting") return ExecutionStatus.waiting(waits)
    if (state === "ready") return ExecutionStatus.running
    const result = yield* executions.result(DurableFlow.workflowOf(flow), executionId)
    if (Option.isNone(result) || result.value._tag === "Suspended") return ExecutionStatus.running
    return DurableFlow.endedOf(flow, result.value.exit)
  })

  const find: Attempts.Store["find"] = (flow, id) =>
    Effect.gen(function* () {
      const execution = yield* executions.find(id)
      return Option.isNone(execution) ? Option.none() : Option.some(yield* statusOf(flow, execution.value))
    }).pipe(Effect.mapError(failed(flow.name)))

  const store: Attempts.Store = {
    begin: Effect.fnUntraced(function* (flow, payload, id, origin) {
      programs.of(flow.name, origin.merchant)
      const { pendingFields, stored } = yield* splitPayload(flow, payload, origin)
      const registration = pendingStarts.hold(id, pendingFields)
      // A call that joins a running flow leaves no fields behind. The fields for the first run belong to the call that began the
      // flow, even if that call is interrupted.
      return yield* executions
        .start(DurableFlow.workflowOf(flow), { executionId: id, payload: stored, ignores: ignoredParts })
        .pipe(
          Effect.mapError(failed(flow.name)),
          Effect.onExit((exit) =>
            Effect.sync(() => registration.settle(Exit.isSuccess(exit) && exit.value === "begun"))
          ),
          Effect.uninterruptible
        )
    }),
    find,
    rest: (flow, id) =>
      Effect.flatMap(
        Effect.mapError(executions.atRest(DurableFlow.workflowOf(flow), id), failed(flow.name)),
        (result) =>
          result._tag === "Complete"
            ? Effect.succeed(DurableFlow.endedOf(flow, result.exit))
            : Effect.map(
                find(flow, id),
                Option.getOrElse(() => ExecutionStatus.running)
              )
      ),
    openEnds: (flow, id) =>
      executions.result(DurableFlow.workflowOf(flow), id).pipe(
        Effect.map((result) =>
          Option.isSome(result) && result.value._tag === "Complete" && Exit.isSuccess(result.value.exit)
            ? DurableFlow.openEndsOf(result.value.exit.value)
            : null
        ),
        Effect.mapError(failed(flow.name))
      ),
    isOther: Effect.fnUntraced(function* (flow, payload, id, merchant) {
      const { stored } = yield* splitPayload(flow, payload, { merchant, openEnds: [] })
      return yield* executions
        .isOther(DurableFlow.workflowOf(flow), { executionId: id, payload: stored, ignores: ignoredParts })
        .pipe(Effect.mapError(failed(flow.name)))
    }),
    interrupt: (flow, id) => Effect.mapError(executions.interrupt(id), failed(flow.name)),
    resume: (flow, id) => Effect.mapError(executions.resume(id), failed(flow.name))
  }

  const register: Shape["register"] = <
    N extends string,
    P extends Definition.Fields,
    A extends Definition.Written,
    E extends Definition.Written,
    R
  >(
    flow: Definition.Definition<N, P, A, E, R>,
    merchant: string
  ) =>
    Effect.contextWith((services: Context.Context<R>) =>
      Effect.gen(function* () {
        const reason = DurableFlow.unfit(flow, { isEncrypted, isSent: false })
        if (reason !== undefined) return yield* new FlowUnfit({ flow: flow.name, reason })
        const program = DurableFlow.programOf(flow, signals, services)
        if (!programs.add(flow.name, merchant, program)) return
        yield* engine
          .register(DurableFlow.workflowOf(flow), (stored, executionId) =>
            Effect.flatMap(pendingStarts.take(executionId), (pendingFields) => {
              const isBegunBefore = isRestored || pendingFields === undefined
              const running = {
                executionId,
                run: randomUUID(),
                isBegunBefore,
                encoding: ValueEncoding.none,
                order: ReplayOrder.none
              }
              return programs.of(flow.name, stored.merchant)(stored, pendingFields, running)
            })
          )
          .pipe(Effect.provideService(Scope.Scope, scope))
      })
    )

  type OpenRange = Omit<Parameters<Shape["list"]>[0], "state">
  const open = (state: "ready" | "waiting" | "stuck", { after, limit }: OpenRange) =>
    executions.open({ state, limit, after: after && { changedAtMs: after.changedAtMs, executionId: after.id } })
  /** Returns the executions in this state whose flow has or has not a program here. */
  const pageOf = Effect.fnUntraced(function* (state: "ready" | "waiting", hasProgram: boolean, page: OpenRange) {
    const listed: Array<Execution> = []
    for (let last = page.after; listed.length < page.limit; ) {
      const rows = yield* open(state, { ...page, after: last })
      listed.push(...rows.filter(({ workflow }) => (programs.missing(workflow) === undefined) === hasProgram))
      const end = rows.at(-1)
      if (end === undefined || rows.length < page.limit) break
      last = openOf(end)
    }
    return listed.slice(0, page.limit).map((row) => openOf(row, programs.missing(row.workflow)))
  })
  const listOf = Effect.fnUntraced(function* (state: OpenExecution["state"], page: OpenRange) {
    if (state !== "stuck") return yield* pageOf(state === "running" ? "ready" : "waiting", true, page)
    const stuck = (yield* open("stuck", page)).map((row) => openOf(row))
    const withoutProgram = [...(yield* pageOf("ready", false, page)), ...(yield* pageOf("waiting", false, page))]
    return [...stuck, ...withoutProgram].sort(compare).slice(0, page.limit)
  })

  return FlowEngine.of({
    ...Attempts.make(store),
    register,
    signal: (key, value = "") => signals.signal(key, value),
    list: ({ state, ...page }) => Effect.mapError(listOf(state, page), failed("The list")),
    settled: executions.settled,
    statistics: {
      writes: executions.statistics.writes,
      get runs() {
        return executions.statistics.runs
      },
      get steps() {
        return executions.statistics.activities
      }
    }
  })
})

/** Returns an execution for operators. `missing`: the reason that its flow cannot run here. */
const openOf = (
  { changedAtMs, executionId, startedAtMs, state, stuckOn, waits, workflow }: Execution,
  missing?: string
): OpenExecution => {
  const reason = stuckOn ?? missing
  const shown = state === "stuck" || missing !== undefined ? "stuck" : state === "waiting" ? "waiting" : "running"
  return {
    ...{ id: executionId, flow: workflow, state: shown, startedAtMs, changedAtMs, waits },
    ...(reason === undefined ? {} : { stuckOn: reason })
  }
}
