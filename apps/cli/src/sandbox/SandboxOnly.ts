/**
 * Verifies that a gateway is a sandbox on this machine, before requests that must never reach a real bank. The gateway itself
 * reports whether it is a sandbox.
 */
import * as ClockApi from "@pay/sandbox/ClockApi"
import * as Loopback from "@pay/schema/Loopback"
import * as OperatorClient from "../operator/OperatorClient.ts"
import { UsageError } from "../terminal/UsageError.ts"

const refused = "Nothing was sent: this is for a sandbox on this machine, which pay gateway start runs"

/** Fails unless the gateway is a sandbox. A production gateway has no clock that can be moved, and answers with 404. */
export const check = async (base: string, topic: string): Promise<void> => {
  if (!Loopback.isOn(base)) throw new UsageError(`--base-url names another machine. ${refused}`, topic)
  const client = OperatorClient.at({ base, token: undefined, address: "--base-url or PAY_BASE_URL", unknown: "" })
  try {
    await client.call(ClockApi.showClock, {})
  } catch (error) {
    if (!(error instanceof OperatorClient.OperatorFailure)) throw error
    if (error.json.outcome === "not-sent") throw error
    // The gateway has a clock, but requires an operator's token to show it.
    if (error.json.status === 401) return
    throw new UsageError(`The gateway at --base-url is not a sandbox. ${refused}`, topic)
  }
}
