/** What `pay store` is for, and its flags. */
import type { Command } from "./Command.ts"
import { json } from "./SettingFlags.ts"

export const store = {
  usage:
    "pay store check [FILE | --database-url URL]\n       pay store migrate --database-url URL [--run-as ROLE]\n       pay store move --from FILE --to URL\n       pay store move --from URL --to FILE\n       pay store reopen [FILE | --database-url URL] [--unused]",
  summary: "Check a gateway's store, make its schema in PostgreSQL, or move it to the other engine.",
  about:
    "A store is a file, gateway.db, or a PostgreSQL database. check looks at the schema, what guards it, the rows, the books and the witness; it may run beside a gateway. migrate makes or changes the schema by the role that owns it, and gives the role that runs the gateway what it needs. move copies every row to a store that is not there yet, compares all of them, recomputes the books, and marks the source so that no gateway starts on it; a move that was broken off goes on where it was when the same command runs again. reopen takes that mark away. An address is postgres://USER@HOST:PORT/DATABASE, without its password: the password comes from --password-file or from PAY_DATABASE_URL, which holds for every address that is left out. Ends with 1 where something is wrong or was refused, with 3 where the server cannot be reached.",
  flags: {
    "database-url": { value: "URL", about: "The database of the store (PAY_DATABASE_URL)." },
    "password-file": { value: "FILE", about: "The file of the database's password (PAY_DATABASE_PASSWORD_FILE)." },
    from: { value: "FILE|URL", about: "For move: the store as it is (PAY_DATABASE_URL)." },
    to: { value: "FILE|URL", about: "For move: where it is to be, and is not yet (PAY_DATABASE_URL)." },
    "run-as": { value: "ROLE", about: "For migrate: the role that runs the gateway; it can change no table." },
    unused: { about: "For reopen: no gateway ever started on the other side, so that nothing was accepted there." },
    witness: {
      value: "FILE",
      about: "What says how far the store has come; store.witness beside a file, none for a database (PAY_WITNESS)."
    },
    ...json
  },
  examples: [
    "pay store check /var/lib/pay/gateway.db",
    "pay store migrate --database-url postgres://pay_owner@db.internal/pay --password-file owner.password --run-as pay_run",
    "pay store move --from /var/lib/pay/gateway.db --to postgres://pay_owner@db.internal/pay --password-file owner.password"
  ]
} satisfies Command
