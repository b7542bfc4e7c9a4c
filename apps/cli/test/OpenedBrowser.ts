/** The browser of BROWSER: goes where it is sent, and reports the last page and the settings that it was given. */
import { browse } from "./Browse.ts"

const [, , port = "", url = ""] = process.argv
const settings = Object.keys(process.env).filter((name) => name.startsWith("PAY_"))
const page = await browse(url)
await fetch(`http://127.0.0.1:${port}/`, {
  method: "POST",
  body: new URLSearchParams({ page, settings: settings.join(" ") })
})
