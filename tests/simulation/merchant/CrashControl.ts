/** The run of one process of a merchant: what it does after its death does not happen. */
import { Effect } from "effect"

export interface CrashControl {
  readonly hasCrashed: () => boolean
  readonly crash: () => void
  /** What a dead process would do, it does not. */
  readonly untilCrash: <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/** After how many steps more the process dies by itself. */
export interface CrashCountdown {
  stepsLeft: number
}

interface Options {
  readonly countdown: CrashCountdown
  readonly onCrash: () => void
  /** It has died by itself, and is still to be ended. */
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
