/** A terminal whose user types the given keys. */
import { type Cause, Effect, FileSystem, Layer, Option, Path, Queue, Terminal } from "effect"
import type * as Prompt from "effect/cli/Prompt"

const key = (name: string, ctrl = false) => ({ name, ctrl, meta: false, shift: false })
const special = { "\n": key("return"), "↓": key("down"), "⌫": key("backspace"), "^": key("c", true) } as const
const isSpecial = (character: string): character is keyof typeof special => character in special

/** The keys of a text: `\n` is Enter, `^` is Ctrl-C. */
const typed = (text: string): ReadonlyArray<Terminal.UserInput> =>
  [...text].map((character) =>
    isSpecial(character)
      ? { input: Option.none(), key: special[character] }
      : { input: Option.some(character), key: key(character) }
  )

/** Passes the displayed text to `show`, with escape sequences. */
export const layer = (keys: string, show: (text: string) => void): Layer.Layer<Prompt.Environment> =>
  Layer.mergeAll(
    Layer.effect(
      Terminal.Terminal,
      Effect.gen(function* () {
        const input = yield* Queue.make<Terminal.UserInput, Cause.Done>()
        yield* Queue.offerAll(input, typed(keys))
        // The input ends after the scripted keys, as after Ctrl-C. Further questions get no answer.
        yield* Queue.end(input)
        return Terminal.make({
          columns: Effect.succeed(80),
          rows: Effect.succeed(24),
          size: Queue.make<Terminal.Size, Cause.Done>(),
          readInput: Effect.succeed(input),
          readLine: Effect.never,
          display: (text) => Effect.sync(() => show(text))
        })
      })
    ),
    FileSystem.layerNoop({}),
    Path.layer
  )
