/** Checks the addresses in a request: those that the gateway calls, and those to which the browser is redirected. */

import { Result } from "effect"
import { type RequestRefused, refuse } from "../kernel/Answer.ts"
import type { Settings } from "../kernel/Settings.ts"
import * as CallbackUrl from "./decide/CallbackUrl.ts"

/** For each field, whether the gateway itself calls the address. */
const called = {
  server_callback_url: true,
  notify_url: true,
  redirect_url: false,
  redirect_success_url: false,
  redirect_fail_url: false
} as const

type Field = keyof typeof called
type Urls = { readonly [F in Field]?: string | undefined }

const fields: ReadonlyArray<Field> = [
  "server_callback_url",
  "notify_url",
  "redirect_url",
  "redirect_success_url",
  "redirect_fail_url"
]

/** Refuses the first address that may not be used. */
export const check = (
  urls: Urls,
  { addressPolicy, production }: Settings,
  clientOrderId: string | undefined
): Result.Result<void, RequestRefused> => {
  for (const field of fields) {
    const url = urls[field]
    if (url === undefined) continue
    const checked = CallbackUrl.check(url, { production, addressPolicy: called[field] ? addressPolicy : undefined })
    if (Result.isSuccess(checked)) continue
    const message = `Parameter ${field} ${checked.failure}`
    return Result.fail(refuse("parameterInvalid", { field, message, clientOrderId }))
  }
  return Result.void
}
