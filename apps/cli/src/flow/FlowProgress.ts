/** Reports the steps of a flow as they happen: the name and the outcome of each. */
import * as Steps from "@pay/flows/Steps"
import { Clock, Duration, Effect, Option, Predicate, Schedule } from "effect"
import type { Lines, StepOutcome } from "../terminal/LiveLines.ts"

/** Largest number of step outcomes that are kept. */
const most = 200

/** Returns steps that report their outcomes to `lines`, and the list of these outcomes. */
export const telling = (lines: Lines) => {
  const inner = Steps.makeMemory()
  const evidence: Array<StepOutcome> = []
  const note = (report: StepOutcome) =>
    Effect.map(Clock.currentTimeMillis, (atMs) => {
      const last = evidence.at(-1)
      const isNews = last === undefined || plain(last.step) !== plain(report.step) || last.outcome !== report.outcome
      if (!isNews) evidence.pop()
      evidence.push(report)
      if (evidence.length > most) evidence.splice(most / 2, 1)
      if (isNews) lines.tell(report, atMs)
    })
  const begin = (step: string) => Effect.map(Clock.currentTimeMillis, (atMs) => lines.begin(step, atMs))
  const steps: Steps.Shape = {
    ...inner,
    step: (name, schemas, effect) =>
      Effect.andThen(
        begin(name),
        Effect.tap(inner.step(name, schemas, effect), (value) => note(outcomeOf(name, value)))
      ),
    sleep: (name, duration) => {
      const seconds = Math.round(Duration.toSeconds(duration))
      if (seconds === 0) return inner.sleep(name, duration)
      return Effect.andThen(note({ step: name, outcome: `waits ${seconds} s` }), inner.sleep(name, duration))
    },
    awaitSignal: (name, awaited) => {
      if (!name.endsWith(" back")) return inner.awaitSignal(name, awaited)
      return Effect.andThen(
        begin(name),
        Effect.tap(inner.awaitSignal(name, awaited), (signal) =>
          note({ step: name, outcome: Option.isSome(signal) ? "returned" : "did not return" })
        )
      )
    }
  }
  return { steps, evidence }
}

/** Updates the displayed time every second, while the scope is open. */
export const ticking = (lines: Lines) =>
  Effect.map(Clock.currentTimeMillis, lines.tick).pipe(Effect.repeat(Schedule.spaced("1 second")), Effect.forkScoped)

/** Returns the name of a step without its last number: `status 1 17` repeats `status 1 16`. */
const plain = (step: string): string => step.replace(/[ .]\d+$/, "")

const property = (value: unknown, name: string): unknown =>
  Predicate.hasProperty(value, name) ? value[name] : undefined

const words = (...parts: ReadonlyArray<unknown>): string =>
  parts.filter((part) => typeof part === "string" && part !== "").join(" ")

const outcomeOf = (step: string, value: unknown): StepOutcome => {
  const requestedAtMs = property(value, "requestedAtMs")
  const ended = property(value, "ended")
  if (typeof requestedAtMs !== "number") return { step, outcome: "done" }
  const tag = property(ended, "_tag")
  if (tag !== "Answered") {
    const message = property(ended, "message")
    return { step, requestedAtMs, outcome: typeof message === "string" ? `${String(tag)}: ${message}` : String(tag) }
  }
  const answer = property(ended, "answer")
  const order = property(answer, "order") ?? answer
  const outcome = words(
    property(order, "status"),
    property(order, "orderStage"),
    property(property(answer, "nextAction"), "_tag"),
    property(order, "orderId")
  )
  return { step, requestedAtMs, outcome: outcome === "" ? "answered" : outcome }
}
