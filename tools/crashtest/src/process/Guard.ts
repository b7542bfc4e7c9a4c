/**
 * A small program that kills what a crash test has started if the crash test itself is killed, or its terminal is closed: then no
 * code of the crash test runs any more. It needs a shell, and is absent on Windows.
 */
import { spawn } from "node:child_process"

/**
 * Reads `+ GROUP` and `- GROUP` in lines, and kills the groups that are left when nobody writes any more; on Linux also what has
 * left its group, by the mark in its environment.
 */
const script = `g=" "
while read -r op p; do
  case $op in
    +) g="$g$p " ;;
    -) case $g in *" $p "*) g="\${g%% $p *} \${g#* $p }" ;; esac ;;
    end) exit ;;
  esac
done
for p in $g; do kill -9 -"$p" 2>/dev/null; done
for f in $(grep -ls "$1" /proc/[0-9]*/environ 2>/dev/null); do f=\${f#/proc/}; kill -9 "\${f%/environ}" 2>/dev/null; done`

export interface Guard {
  readonly watch: (group: number) => void
  readonly forget: (group: number) => void
  readonly end: () => void
}

const none: Guard = { watch: () => undefined, forget: () => undefined, end: () => undefined }

/** Starts it for processes with the mark, `NAME=value`. */
export const start = (mark: string): Guard => {
  if (process.platform === "win32") return none
  const child = spawn("/bin/sh", ["-c", script, "sh", mark], { stdio: ["pipe", "ignore", "ignore"], detached: true })
  child.on("error", () => undefined)
  child.stdin.on("error", () => undefined)
  // It ends with this process, and does not keep it.
  child.unref()
  const write = (line: string) => void child.stdin.write(`${line}\n`)
  return {
    watch: (group) => write(`+ ${group}`),
    forget: (group) => write(`- ${group}`),
    end: () => void child.stdin.end("end\n")
  }
}
