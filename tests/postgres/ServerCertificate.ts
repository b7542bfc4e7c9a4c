/** The certificate of a server named `localhost`, and of the authority that issued it. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { identity } from "../../gateway/gateway/test/threeds/Certificates.ts"
import { writeSecret } from "./ServerAccount.ts"

const dayMs = 86_400_000

/** Writes both and the server's key into the folder; returns the path of the authority's, and the settings of the server. */
export const write = (folder: string) => {
  const [authority, certificate, key] = ["authority.pem", "server.pem", "server.key"].map((name) => join(folder, name))
  const validity = { fromMs: Date.now() - dayMs, untilMs: Date.now() + dayMs }
  const issuer = identity("an authority of tests", { ...validity, ca: true })
  const server = identity("localhost", { ...validity, by: issuer })
  writeFileSync(`${authority}`, issuer.certificate.toString())
  writeFileSync(`${certificate}`, server.certificate.toString())
  writeSecret(`${key}`, server.key.export({ type: "pkcs8", format: "pem" }).toString())
  return {
    authority: `${authority}`,
    settings: { ssl: "on", ssl_cert_file: `${certificate}`, ssl_key_file: `${key}` }
  }
}
