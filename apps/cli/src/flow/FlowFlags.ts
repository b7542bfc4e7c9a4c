/** Reads the flags of `pay flow`, except fields. */
import { resolve } from "node:path"
import * as FlowSettings from "@pay/flows/FlowSettings"
import { Duration } from "effect"
import type * as Flags from "../command/Flags.ts"
import * as Client from "../request/Client.ts"
import * as Credentials from "../request/Credentials.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as SimulatedCustomer from "./SimulatedCustomer.ts"

/** Returns the settings with which a flow is resumed. They contain the path of the private key's file, not the key. */
export const settingsOf = (given: Flags.Given): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Client.settings.flatMap((flag) => {
      const value = Credentials.setting(given, flag)
      return value === undefined ? [] : [[flag, flag === "private-key-file" ? resolve(value) : value]]
    })
  )

/** Returns the behaviour of the simulated customer, or `undefined` without `--3ds`. */
export const simulatedOutcome = (given: Flags.Given, isLocal: boolean): SimulatedCustomer.Outcome | undefined => {
  const choice = given.flags.get("3ds")
  if (choice === undefined) return undefined
  const outcome = SimulatedCustomer.outcomes.find((name) => name === choice)
  if (outcome === undefined) throw new UsageError("--3ds is pass, fail or abandon", "flow")
  if (!isLocal) throw new UsageError("--3ds simulates the customer only at a sandbox on this machine", "flow")
  return outcome
}

/**
 * Returns the quiet period as a setting of flows. If the period is too short, a flow could treat an order that is still being
 * created as one that was never created.
 */
export const quietSettings = (given: Flags.Given, isLocal: boolean): Partial<FlowSettings.Settings> => {
  const seconds = Credentials.setting(given, "quiet-period")
  if (seconds === undefined) return {}
  const quietPeriod = Duration.seconds(Number(seconds))
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(seconds)) throw new UsageError("--quiet-period is a number of seconds", "flow")
  if (!isLocal && Duration.isLessThan(quietPeriod, Duration.fromInputUnsafe(FlowSettings.defaults.quietPeriod))) {
    throw new UsageError("--quiet-period may be less than 45 only at a gateway on this machine", "flow")
  }
  return { quietPeriod }
}
