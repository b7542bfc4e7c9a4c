export * as Sandbox from "./Sandbox.ts"
export * as SandboxProcess from "./SandboxProcess.ts"
export * as Server from "./Server.ts"
export * as ServerConfig from "./ServerConfig.ts"
