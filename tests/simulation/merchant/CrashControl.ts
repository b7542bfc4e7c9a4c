/** Lets a merchant's process crash: at a given step, or on demand. After that nothing that it does has an effect. */
import { Effect } from "effect"

export interface CrashControl {
  readonly hasCrashed: () => boolean
  readonly crash: () => void
  /** Runs the work, which never continues after the crash. */
  readonly untilCrash: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The number of steps after which the process crashes. */
export interface CrashCountdown {
  stepsLeft: number
}

interface Options {
  readonly countdown: CrashCountdown
  readonly onCrash: () => void
  /** Called when the countdown has crashed the process, which still has to be ended. */
  readonly onCountdownEnd: () => void
}

export const make = ({ countdown, onCrash, onCountdownEnd }: Options): CrashControl => {
  let hasCrashed = false
  const crash = () => {
    if (hasCrashed) return
    hasCrashed = true
    countdown.stepsLeft = Number.POSITIVE_INFINITY
    onCrash()
  }
  const step = Effect.suspend(() => {
    if (hasCrashed) return Effect.never
    countdown.stepsLeft -= 1
    if (countdown.stepsLeft > 0) return Effect.void
    crash()
    onCountdownEnd()
    return Effect.never
  })
  return {
    hasCrashed: () => hasCrashed,
    crash,
    untilCrash: (work) =>
      Effect.andThen(
        step,
        Effect.flatMap(Effect.exit(work), (exit) => Effect.andThen(step, exit))
      )
  }
}
