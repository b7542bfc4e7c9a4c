// The sandbox is not exported here, so that production does not load it. Import it as @pay/server/Sandbox.
export * as Server from "./Server.ts"
export * as ServerConfig from "./ServerConfig.ts"
export * as Start from "./Start.ts"
