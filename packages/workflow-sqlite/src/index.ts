export * as Executions from "./Executions.ts"
export * as WorkflowEngine from "./WorkflowEngine.ts"
