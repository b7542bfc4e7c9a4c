export * as PayError from "./PayError.ts"
export * as Wire from "./Wire.ts"
