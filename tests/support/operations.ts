import { readFileSync } from 'node:fs'

const OPERATIONS = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const [, section = ''] = /\n## Backup and restore\n([\s\S]*?)\n## /.exec(OPERATIONS) ?? []
const [backup = '', tombstones = '', ...others] = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, commands = '']) => commands,
)

/** The commands of docs/operations.md that make a dump, as they stand there. */
export const BACKUP = backup
/** The commands that list erasures. */
export const TOMBSTONES = tombstones
/** The commands that restore the dump and repeat the erasures. */
export const RESTORE = others.slice(0, -1).join('')
/** The command that replaces `pg_restore` before PostgreSQL 18. */
const OLD_RESTORE = others.at(-1)?.trim() ?? ''
export const RESTORE_BEFORE_18 = RESTORE.replace(
  /docker compose exec -T postgres pg_restore .*"\$DUMP"/,
  `{ ${OLD_RESTORE}; }`,
)
