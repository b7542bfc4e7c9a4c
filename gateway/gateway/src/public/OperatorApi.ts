/** The contract of the operator interface: operations, parameters and groups of commands. It loads nothing of the gateway. */
export * as LogText from "../kernel/LogText.ts"
export * from "../operators/OperatorApi.ts"
export { type Group, groups } from "../operators/OperatorGroups.ts"
export * as OperatorOperation from "../operators/OperatorOperation.ts"
export * as OperatorParameter from "../operators/OperatorParameter.ts"
