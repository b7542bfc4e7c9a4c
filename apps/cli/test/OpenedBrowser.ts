/** The browser of BROWSER: reports where it is sent, goes there, and reports the last page and the settings it was given. */
import { browse } from "./Browse.ts"

const [, , port = "", url = ""] = process.argv
const report = (describe: Readonly<Record<string, string>>) =>
  fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: new URLSearchParams(describe) })

await report({ opened: url })
const settings = Object.keys(process.env).filter((name) => name.startsWith("PAY_"))
await report({ page: await browse(url), settings: settings.join(" ") })
