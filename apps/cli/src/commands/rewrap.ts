/** `pay rewrap`: everything sealed under an older master key, brought under the current one while one watches. */
import { commands } from "../Commands.ts"
import { codes } from "../ExitCode.ts"
import type { Json } from "../OperatorGateway.ts"
import { OperatorFailure } from "../OperatorGateway.ts"
import * as OperatorRoom from "../OperatorRoom.ts"

const text = ({ failed, rewrapped, seen }: Json): string => `${seen} seen, ${rewrapped} rewrapped, ${failed} failed`

export const run = OperatorRoom.running("rewrap", commands.rewrap, { "": 0 }, async ({ gateway, progress, tell }) => {
  const path = "/operator/rewrap"
  const begun = await gateway.json({ method: "POST", path }).catch((error: unknown) => {
    if (error instanceof OperatorFailure && error.json.state === "running") return { ...error.json }
    throw error
  })
  let seen: Json = begun
  while (seen.state === "running") {
    progress(text(seen))
    await OperatorRoom.pause()
    seen = await gateway.json({ path })
  }
  const isWhole = seen.state === "done" && seen.failed === 0
  tell(
    isWhole
      ? `${text(seen)}. The older master keys may be removed.`
      : `${text(seen)}. The older master keys must stay.`,
    seen
  )
  return isWhole ? codes.ok : codes.refused
})
