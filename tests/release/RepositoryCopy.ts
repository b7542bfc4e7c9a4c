/** A copy of some files of the repository in a folder of its own, with the installed tools. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { root } from "../../scripts/Workspace.ts"

export interface RepositoryCopy {
  readonly folder: string
  /** Copies a file or a folder of the repository. */
  readonly add: (path: string) => void
  /** Makes each package that is installed in a folder of the repository appear in the same folder of the copy. */
  readonly linkInstalled: (path: string) => void
  readonly remove: () => void
}

export const make = (): RepositoryCopy => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pay copy ")))
  return {
    folder,
    add: (path) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      cpSync(join(root, path), join(folder, path), { recursive: true })
    },
    // The folder itself is no link: a package manager that empties it must not reach the repository's.
    linkInstalled: (path) => {
      const [from, to] = [join(root, path, "node_modules"), join(folder, path, "node_modules")]
      mkdirSync(to, { recursive: true })
      for (const name of readdirSync(from)) symlinkSync(join(from, name), join(to, name))
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
