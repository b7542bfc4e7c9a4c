/** Visits pages as a customer's browser does, with `fetch`. */
import * as Markup from "@pay/schema/Markup"

/** Limits the number of pages, so that a test that fails leaves no browser behind. */
const mostPages = 200

const pause = () => new Promise((resolve) => setTimeout(resolve, 100))

/** Posts each form, types the password, and reloads pages that only wait, until it is back at the program. */
export const browse = async (start: string): Promise<string> => {
  let at = start
  let body = ""
  let form: Readonly<Record<string, string>> | undefined
  for (let pages = 0; !body.includes("The terminal tells"); pages += 1) {
    if (pages === mostPages) throw new Error(`the browser stays at ${at}`)
    const answer = await fetch(at, form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) })
    body = await answer.text()
    const { action = answer.url, hidden } = Markup.form(body)
    const typed = body.includes('name="password"') ? { action: "confirm", password: "hint" } : {}
    form = body.includes("<form") ? { ...hidden, ...typed } : undefined
    at = new URL(action, answer.url).href
    if (form === undefined) await pause()
  }
  return body
}
