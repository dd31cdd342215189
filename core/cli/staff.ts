import type { z } from 'zod'
import { staffLinkUrl } from '../contract/page.ts'
import { formatMoment } from '../dates.ts'
import { readSetting } from '../env.ts'
import type { Db } from '../platform/db.ts'
import { inviteStaffByHand, resetPasswordByHand } from '../staff/account.ts'
import { NewStaff, type StaffAccount } from '../staff/contract/staff.ts'
import { resetFactors, setSharedPassword } from '../staff/sign-in.ts'
import * as accounts from '../staff/stores/staff-accounts.ts'
import { done, isMain, type Result, runCommand, UsageError } from './command-line.ts'

const USAGE = `Staff accounts in the database of DATABASE_URL.

  npm run staff -- add --name "Ada Park" --email ada@example.com --role manager
  npm run staff -- set-password --email ada@example.com
  npm run staff -- reset-factor --email ada@example.com
  npm run staff -- list
  npm run staff -- shared-password-on

Roles are viewer, agent and manager. "add" and "set-password" print a link (PUBLIC_URL) with which the owner chooses a
password: once, within 72 hours for a new account, and within an hour for an existing one. All else is in the dashboard.`

const BY_COMMAND = { actor: 'command line' }

type Options = { name?: string; email?: string; role?: string }

const COMMANDS: Record<string, (db: Db, options: Options) => Promise<Result>> = {
  async add(db, options) {
    const staff = read(NewStaff, options)
    const wordsOf = linkWords(staff)
    return done(wordsOf(await inviteStaffByHand(db, staff, BY_COMMAND)))
  },
  async 'set-password'(db, options) {
    const account = await find(db, options)
    const wordsOf = linkWords(account)
    return done(wordsOf(await resetPasswordByHand(db, account.id, BY_COMMAND)))
  },
  async 'reset-factor'(db, options) {
    const { id, email } = await find(db, options)
    await resetFactors(db, id, BY_COMMAND)
    return done(`The two-step sign-in of ${email} is removed. Their sessions have ended.`)
  },
  async list(db) {
    const staff = await accounts.list(db)
    const lines = staff.length > 0 ? staff.map(line) : ['There are no accounts yet. Create the first one with "add".']
    if (await accounts.isSharedPasswordOff(db)) lines.push('The shared password is turned off.')
    return done(lines.join('\n'))
  },
  async 'shared-password-on'(db) {
    await setSharedPassword(db, true, BY_COMMAND)
    return done('The shared password (ADMIN_PASSWORD) opens the dashboard again.')
  },
}

async function find(db: Db, options: Options): Promise<StaffAccount> {
  const { email } = read(NewStaff.pick({ email: true }), options)
  return accounts.get(db, await accounts.idOf(db, email))
}

/** @throws UsageError that lists every problem */
function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (!result.success) throw new UsageError(result.error.issues.map(({ message }) => `${message}.`).join('\n'))
  return result.data
}

/** Reads the settings of the printed link before anything is done, because a link that cannot be printed is lost. */
function linkWords({ email }: Pick<StaffAccount, 'email'>): (link: accounts.MadeLink) => string {
  const [publicUrl, timeZone] = [readSetting('PUBLIC_URL'), readSetting('NETWORK_TIME_ZONE')]
  return ({ token, expiresAt }) => `${email} chooses a password here: ${staffLinkUrl(publicUrl, token)}
The link works once, until ${formatMoment(expiresAt, timeZone)}. It is not shown again.`
}

function line({ name, email, role, disabled_at, has_password, last_seen_at }: StaffAccount): string {
  const invitation = has_password ? 'enabled' : 'invited'
  const seen = last_seen_at ? `last seen ${formatMoment(last_seen_at, readSetting('NETWORK_TIME_ZONE'))}` : ''
  return [role.padEnd(8), (disabled_at ? 'disabled' : invitation).padEnd(9), `${name} <${email}>`, seen]
    .join(' ')
    .trimEnd()
}

const text = { type: 'string' } as const

export function staffCommand(given: string[]): Promise<number> {
  return runCommand<Options>(given, {
    name: 'staff',
    usage: USAGE,
    options: { name: text, email: text, role: text },
    commands: COMMANDS,
  })
}

if (isMain(import.meta.url)) process.exitCode = await staffCommand(process.argv.slice(2))
