/** How flows ended, and how their orders stand at the gateway in the end. */
import * as Status from "@pay/schema/Status"
import type { MerchantAction } from "../merchant/MerchantAction.ts"
import type { Check } from "./Check.ts"

/**
 * What disagrees with how the action's flow ended. `status`: none where the gateway knows no such order; `isTakenBack`: the rail
 * has refused it after it had confirmed it.
 */
const disagrees = (
  { intent: { end }, makes }: MerchantAction,
  status: string | undefined,
  isTakenBack: boolean
): boolean => {
  if (status !== undefined && !Status.isFinal(status)) return true
  if (end === "done") return status !== "approved" && !(isTakenBack && status === "declined")
  return end === "notDone" && makes !== undefined && status === "approved"
}

/**
 * Returns whether the order at another gateway contradicts the end of its flow. If the flow could not tell the outcome, nothing
 * is wrong. A payout that was checked and not paid stays as it is.
 */
const isUntrue = ({ intent: { end }, makes }: MerchantAction, status: string | undefined): boolean =>
  end === "done" ? status !== "approved" : end === "notDone" && makes !== undefined && status === "approved"

export const agreement: Check = {
  name: "flows end as their gateway does",
  what: "In the end an order is approved where a flow reported success, is not where the flow that creates it reported a failure, and moves no more.",
  begin: ({ merchantOf, actions, world }) => ({
    atEnd: async () => {
      const problems: Array<string> = []
      for (const action of actions.values()) {
        const { clientOrderId, end, kind, login, name } = action.intent
        // What moves no money is final in its own answer.
        if (kind === "nothing") continue
        const { remote, statusOf } = merchantOf(login)
        const status = await world.run(statusOf(clientOrderId))
        const isTakenBack = (await world.run(remote.booked(clientOrderId))).some(({ takenBack }) => takenBack === true)
        if (remote.isOurs ? disagrees(action, status, isTakenBack) : isUntrue(action, status))
          problems.push(`${action.flow} ${name} ended ${end}, and its order is ${status}`)
      }
      return problems
    }
  })
}

export const written: Check = {
  name: "durable flows end",
  what: "In the end no flow that is written down is open.",
  begin: ({ world }) => ({
    atEnd: async () => {
      const problems: Array<string> = []
      for (const { open } of world.merchants) problems.push(...(await world.run(open)))
      return problems
    }
  })
}

/** What the merchants' disks have lost, since the last look. */
export const remembered: Check = {
  name: "durable flows survive",
  what: "A durable flow that was reported to its merchant as stored, or as ended, is so after its process was killed or its machine lost its power.",
  begin: ({ world: { merchants } }) => {
    const counts = new Map<string, number>()
    return {
      afterStep: async () =>
        merchants.flatMap(({ account: { login }, disk: { lost } }) => {
          const fresh = lost.slice(counts.get(login))
          counts.set(login, lost.length)
          return fresh.map((what) => `${login}'s flow ${what}`)
        })
    }
  }
}
