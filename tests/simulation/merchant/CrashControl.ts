/** The run of one process of a merchant: what it does after its death does not happen. */
import { Effect } from "effect"

export interface CrashControl {
  readonly isDead: () => boolean
  readonly die: () => void
  /** What a dead process would do, it does not. */
  readonly alive: <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/** After how many steps more the process dies by itself. */
export interface CrashCountdown {
  stepsLeft: number
}

interface Options {
  readonly doom: CrashCountdown
  readonly onDeath: () => void
  /** It has died by itself, and is still to be ended. */
  readonly onDoom: () => void
}

export const make = ({ doom, onDeath, onDoom }: Options): CrashControl => {
  let isDead = false
  const die = () => {
    if (isDead) return
    isDead = true
    doom.stepsLeft = Number.POSITIVE_INFINITY
    onDeath()
  }
  const step = Effect.suspend(() => {
    if (isDead) return Effect.never
    doom.stepsLeft -= 1
    if (doom.stepsLeft > 0) return Effect.void
    die()
    onDoom()
    return Effect.never
  })
  return {
    isDead: () => isDead,
    die,
    alive: (work) =>
      Effect.andThen(
        step,
        Effect.flatMap(Effect.exit(work), (exit) => Effect.andThen(step, exit))
      )
  }
}
