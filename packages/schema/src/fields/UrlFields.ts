/** Addresses in a request of a merchant. They stay text; the gateway decides which of them it resolves and calls. */
import { Schema } from "effect"
import * as CallbackAddress from "../CallbackAddress.ts"
import * as Field from "../Field.ts"

const absolute = /^https?:\/\//i
/** Blanks, which the URL parser encodes, and `\`, which it reads as `/`. */
const unusual = /[\p{Zs}\p{Zl}\p{Zp}\\]/u
/** Matches a user name and password, also an empty one (`http://@shop.example/`), which the URL parser drops. */
const userinfo = /^[^/]*\/\/[^/?#]*@/

const flaw = (text: string): string | undefined => {
  if (!absolute.test(text) || unusual.test(text) || !URL.canParse(text))
    return "must be an absolute http or https address"
  return userinfo.test(text) ? "must not contain a user name or password" : undefined
}

const format = { identifier: true, rule: flaw, json: { format: "uri", pattern: "^https?://" } } as const

const url = (about: string, sample: string, hint = false) => Field.text({ about, max: 1024, sample, hint, ...format })

export const RedirectUrl = url(
  "The address to which the browser comes back after 3-D Secure or a form.",
  "https://shop.example/back"
)

/** An address that the gateway calls with the parameters of a callback in its query. */
const callbackUrl = (about: string, sample: string) =>
  Field.text({
    about,
    max: 1024,
    sample,
    ...format,
    rule: (text) => flaw(text) ?? CallbackAddress.flaw(text),
    canonical: CallbackAddress.canonical
  })

const ServerCallbackUrl = callbackUrl(
  "The address to which the gateway reports the final status.",
  "https://shop.example/callback"
)

const NotifyUrl = callbackUrl(
  "A further address, which also gets reports of later events.",
  "https://shop.example/notify"
)
const RedirectSuccessUrl = url("The address after success, instead of `redirect_url`.", "https://shop.example/thanks")
const RedirectFailUrl = url("The address after failure, instead of `redirect_url`.", "https://shop.example/sorry")

/**
 * The shop's own address. Modules of the older dialect also write it without a scheme, so a wrong value counts as absent there.
 */
export const SiteUrl = url("The shop's own address.", "https://shop.example/", true)

/** The fields that name the browser's return address: one address, or one for each outcome. */
export const redirectRequired = [["redirect_url"], ["redirect_success_url", "redirect_fail_url"]] as const

/** The addresses to which outcomes are reported, on every asynchronous operation. */
export const callback = {
  server_callback_url: Schema.optionalKey(ServerCallbackUrl),
  notify_url: Schema.optionalKey(NotifyUrl)
}

/** The addresses to which the browser comes back. */
export const redirects = {
  redirect_url: Schema.optionalKey(RedirectUrl),
  redirect_success_url: Schema.optionalKey(RedirectSuccessUrl),
  redirect_fail_url: Schema.optionalKey(RedirectFailUrl)
}
