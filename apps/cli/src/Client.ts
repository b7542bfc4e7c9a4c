/** The signed client with settings from flags and the environment, and programs that end in an exit code. */
import * as PayClient from "@pay/transport/PayClient"
import { ConfigProvider, Layer } from "effect"
import * as Credentials from "./Credentials.ts"
import { variables } from "./Environment.ts"
import type { Given } from "./Flags.ts"
import { UsageError } from "./UsageError.ts"

const settings = ["base-url", "login", "endpoint-id", "private-key-file", "control-amount"]

/** Flags win over the environment. */
export const layer = async (given: Given): Promise<Layer.Layer<PayClient.PayClient, PayClient.InvalidSetting>> => {
  const flags = settings.flatMap((flag) => {
    const value = given.flags.get(flag)
    return value === undefined ? [] : [[Credentials.variableOf(flag), value] as const]
  })
  const controlKey = await Credentials.findControlKey(given)
  const environment = {
    ...variables(),
    ...Object.fromEntries(flags),
    ...(controlKey === undefined ? {} : { PAY_CONTROL_KEY: controlKey }),
    ...timeouts(given.flags.get("timeout"))
  }
  return PayClient.layerConfig.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment))))
}

const timeouts = (seconds: string | undefined): Readonly<Record<string, string>> => {
  if (seconds === undefined) return {}
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(seconds)) throw new UsageError("--timeout is a number of seconds")
  return { PAY_TIMEOUT: `${seconds} seconds`, PAY_READ_TIMEOUT: `${seconds} seconds` }
}
