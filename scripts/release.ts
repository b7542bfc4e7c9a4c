/**
 * `npm run release:dry`: makes the files of a release in `.release` and publishes nothing. Each public package, the command `pay` and the
 * gateway's program become a tarball with its list of components beside it, and all have checksums. Then each is installed in a clean
 * project as its users install it, and runs: the gateway's program, sales of the client at it, `pay` about them, each module of
 * the libraries, the sandbox. `npm run test:external` runs this, too.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SandboxMerchant from "../gateway/sandbox/src/SandboxMerchant.ts"
import * as CleanProjects from "./CleanProjects.ts"
import * as Sbom from "./Sbom.ts"
import { type Package, publishedPackages, root } from "./Workspace.ts"

const folder = join(root, ".release")
const pnpm = join(root, ".tools/node_modules/.bin/pnpm")

const say = (text: string) => console.log(text)

const run = (program: string, args: ReadonlyArray<string>, cwd: string) =>
  execFileSync(program, args, { cwd, stdio: ["ignore", "ignore", "inherit"] })

/** Packs a package, and returns the name of its tarball. */
const pack = ({ folder: path }: Package): string => {
  const into = join(folder, "packing")
  run(pnpm, ["pack", "--pack-destination", into], join(root, path))
  const [file = ""] = readdirSync(into)
  renameSync(join(into, file), join(folder, file))
  return file
}

const sha256 = (file: string): string =>
  createHash("sha256")
    .update(readFileSync(join(folder, file)))
    .digest("hex")

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
say("building each package")
run(
  process.execPath,
  ["scripts/bootstrap.mjs", "build", ...publishedPackages.map(({ manifest }) => `--filter=${manifest.name}`)],
  root
)
const tarballs = new Map<string, string>()
for (const pkg of publishedPackages) {
  const file = pack(pkg)
  tarballs.set(pkg.manifest.name, join(folder, file))
  writeFileSync(join(folder, file.replace(/\.tgz$/, ".cdx.json")), Sbom.write(pkg))
  say(`packed ${file}`)
}
rmSync(join(folder, "packing"), { recursive: true, force: true })
const files = readdirSync(folder).toSorted()
writeFileSync(join(folder, "SHA256SUMS"), files.map((file) => `${sha256(file)}  ${file}\n`).join(""))
const { controlKey, endpoints, login } = SandboxMerchant.merchant
const merchant = { PAY_LOGIN: login, PAY_CONTROL_KEY: controlKey, PAY_ENDPOINT_ID: endpoints.usd }
run("sha256sum", ["--check", "--strict", "--quiet", "SHA256SUMS"], folder)
say(`ok     ${tarballs.size} tarballs have their lists of components and their checksums`)
await CleanProjects.check(tarballs, merchant, (what) => say(`ok     ${what}`))
say(`${tarballs.size} tarballs, each with its components, and SHA256SUMS are in .release`)
