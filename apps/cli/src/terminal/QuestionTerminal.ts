/** A terminal for questions, which are printed on standard error, because standard output is only for the outcome. */
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import { Effect, FileSystem, Layer, Path, Terminal } from "effect"
import * as Prompt from "effect/cli/Prompt"
import { variable } from "./Environment.ts"
import * as Files from "./Files.ts"
import * as Io from "./Io.ts"
import * as Output from "./Output.ts"

const isQuit = ({ key }: Terminal.UserInput): boolean => key.ctrl && (key.name === "c" || key.name === "d")

const layerOn = ({ columns, write }: Output.Screen): Layer.Layer<Terminal.Terminal> =>
  Layer.effect(
    Terminal.Terminal,
    Effect.map(NodeTerminal.make(isQuit), (terminal) =>
      Terminal.make({
        ...terminal,
        columns: Effect.sync(columns),
        display: (text) => Effect.sync(() => write(text))
      })
    )
  )

/** Provides the environment of prompts, or returns `undefined` if the program does not run at a terminal. */
export const layer = (): Layer.Layer<Prompt.Environment> | undefined => {
  const screen = Io.stdin().isTTY && Files.isStandardInputFree() ? Output.screen() : undefined
  return screen === undefined
    ? undefined
    : Layer.mergeAll(
        layerOn(screen),
        FileSystem.layerNoop({}),
        Path.layer,
        Layer.succeed(Prompt.Theme, Prompt.makeTheme({ colors: variable("NO_COLOR") === undefined }))
      )
}
