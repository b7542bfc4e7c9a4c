/** The merchants: the service that finds them, and its layer, which changes with the configuration and with operators. */
export * from "../merchants/Directory.ts"
export { LiveDirectory, layer } from "../merchants/LiveDirectory.ts"
