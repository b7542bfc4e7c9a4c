/** What must never reach a real bank goes to a sandbox on this machine only; the gateway itself is asked whether it is one. */
import * as ClockApi from "@pay/sandbox/ClockApi"
import * as Loopback from "./Loopback.ts"
import * as OperatorClient from "./OperatorClient.ts"
import { UsageError } from "./UsageError.ts"

const refused = "Nothing was sent: this is for a sandbox on this machine, which pay gateway start runs"

/** A production gateway has no clock to be moved, and answers that nothing is there. */
export const check = async (base: string, topic: string): Promise<void> => {
  if (!Loopback.isOn(base)) throw new UsageError(`--base-url names another machine. ${refused}`, topic)
  const client = OperatorClient.at({ base, token: undefined, address: "--base-url or PAY_BASE_URL", unknown: "" })
  try {
    await client.call(ClockApi.showClock, {})
  } catch (error) {
    if (!(error instanceof OperatorClient.OperatorFailure)) throw error
    if (error.json.outcome === "not-sent") throw error
    // It has a clock, and wants an operator's token to show it.
    if (error.json.status === 401) return
    throw new UsageError(`The gateway at --base-url is not a sandbox. ${refused}`, topic)
  }
}
