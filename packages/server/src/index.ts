// The sandbox is imported by its own name, @pay/server/Sandbox: what production loads does not reach it.
export * as Server from "./Server.ts"
export * as ServerConfig from "./ServerConfig.ts"
export * as Start from "./Start.ts"
