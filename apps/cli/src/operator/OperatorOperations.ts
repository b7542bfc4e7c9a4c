/** The operations that an operator can call from the command line, at any gateway and at a sandbox. */

import type { OperatorOperation } from "@pay/gateway/OperatorApi"
import * as OperatorApi from "@pay/gateway/OperatorApi"
import * as ClockApi from "@pay/sandbox/ClockApi"

export type Operation = OperatorOperation.OperatorOperation

const all: ReadonlyArray<Operation> = [...OperatorApi.all, ...ClockApi.all]

/** Returns the operations of `pay NAME …`. */
export const ofCommand = (name: string): ReadonlyArray<Operation> =>
  all.filter(({ command }) => command === name || command.startsWith(`${name} `))
