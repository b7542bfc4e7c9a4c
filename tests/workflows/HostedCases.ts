/** The flows of hosted pages, with what has to be there before each. */
import * as HostedCheckout from "@pay/flows/HostedCheckout"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import type { Case } from "./Case.ts"
import { preparedRun } from "./PreparedRun.ts"
import { payloadOf } from "./Requests.ts"

const { operations } = PayApi

export const hosted: ReadonlyArray<Case> = [
  {
    name: "HostedSale",
    effects: ["authorize 1042"],
    customer: true,
    begin: () =>
      Effect.map(payloadOf(operations.SALEFORM), (payload) => preparedRun(HostedCheckout.HostedSale, payload))
  },
  {
    name: "HostedReserve",
    effects: ["authorize 1042"],
    customer: true,
    begin: () =>
      Effect.map(payloadOf(operations.PREAUTHFORM), (payload) =>
        preparedRun(HostedCheckout.HostedAuthorization, payload)
      )
  },
  {
    name: "HostedPayment",
    effects: ["authorize 1042"],
    customer: true,
    begin: () =>
      Effect.map(payloadOf(operations.PAYMENTFORM), (payload) => preparedRun(HostedCheckout.HostedPayment, payload))
  },
  {
    name: "HostedPayOut",
    effects: ["check 1042", "pay 1042"],
    customer: true,
    begin: () =>
      Effect.map(payloadOf(operations.PAYOUTFORM), ({ login: _, ...payload }) =>
        preparedRun(HostedCheckout.HostedPayOut, payload)
      )
  },
  {
    name: "HostedVerification",
    effects: ["authorize 0"],
    customer: true,
    begin: () =>
      Effect.map(payloadOf(operations.ACCOUNT_VERIFICATION_FORM), (payload) =>
        preparedRun(HostedCheckout.HostedVerification, payload)
      )
  }
]
