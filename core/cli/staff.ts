import type { z } from 'zod'
import { ChosenPassword, type Invitation, NewStaff, type StaffAccount } from '../contract/staff.ts'
import { dayOf, formatMoment } from '../dates.ts'
import type { Db } from '../db.ts'
import { readTimeZone } from '../env.ts'
import * as accounts from '../stores/staff-accounts.ts'
import * as staffActions from '../stores/staff-actions.ts'
import { askPassword } from './ask-password.ts'
import { done, isMain, type Result, runCommand, UsageError } from './command-line.ts'

const USAGE = `Accounts of the staff, in the database of DATABASE_URL.

  npm run staff -- add --name "Ada Park" --email ada@example.com --role manager
  npm run staff -- set-password --email ada@example.com
  npm run staff -- set-role --email ada@example.com --role viewer
  npm run staff -- disable --email ada@example.com
  npm run staff -- enable --email ada@example.com
  npm run staff -- list

A viewer reads, a manager also acts. The password is asked for, or read from stdin where that is no terminal. With
--invite, add and set-password make one up and print it; its owner has seven days to choose another with it.`

const BY_COMMAND = { actor: 'command line' }

type Options = { name?: string; email?: string; role?: string; invite?: boolean }

const COMMANDS: Record<string, (db: Db, options: Options) => Promise<Result>> = {
  async add(db, options) {
    const staff = read(NewStaff, options)
    if (options.invite) return done(invited(await staffActions.invite(db, staff, BY_COMMAND)))
    const account = await staffActions.add(db, staff, read(ChosenPassword, await askPassword()), BY_COMMAND)
    return done(`${account.name} <${account.email}> can sign in now, as a ${account.role}.`)
  },
  async 'set-password'(db, options) {
    const { id, email } = await find(db, options)
    if (options.invite) return done(invited(await staffActions.resetPassword(db, id, BY_COMMAND)))
    await staffActions.setPassword(db, id, read(ChosenPassword, await askPassword()), BY_COMMAND)
    return done(`The password of ${email} is set. Their sessions have ended.`)
  },
  async 'set-role'(db, options) {
    const { id } = await find(db, options)
    const { role } = read(NewStaff.pick({ role: true }), options)
    const { email } = await staffActions.change(db, id, { role }, BY_COMMAND)
    return done(`${email} is a ${role} now.`)
  },
  async disable(db, options) {
    const { id } = await find(db, options)
    const { email } = await staffActions.change(db, id, { disabled: true }, BY_COMMAND)
    return done(`${email} cannot sign in any more. Their sessions have ended.`)
  },
  async enable(db, options) {
    const { id } = await find(db, options)
    const { email } = await staffActions.change(db, id, { disabled: false }, BY_COMMAND)
    return done(`${email} can sign in again.`)
  },
  async list(db) {
    const staff = await accounts.list(db)
    return done(staff.map(line).join('\n') || 'There are no accounts yet. Create the first one with "add".')
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

function invited({ account, password, password_expires_at }: Invitation): string {
  return `The password for ${account.email} is ${password}
It is good until ${dayOf(password_expires_at, readTimeZone())}, for choosing another at the sign-in. It is not shown again.`
}

function line({ name, email, role, disabled_at, must_change_password, last_seen_at }: StaffAccount): string {
  const invitation = must_change_password ? 'invited' : 'enabled'
  const seen = last_seen_at ? `last seen ${formatMoment(last_seen_at, readTimeZone())}` : ''
  return [role.padEnd(8), (disabled_at ? 'disabled' : invitation).padEnd(9), `${name} <${email}>`, seen]
    .join(' ')
    .trimEnd()
}

const text = { type: 'string' } as const

/** Runs `npm run staff -- <given>`. Returns the exit code. */
export function staffCommand(given: string[]): Promise<number> {
  return runCommand<Options>(given, {
    name: 'staff',
    usage: USAGE,
    options: { name: text, email: text, role: text, invite: { type: 'boolean' } },
    commands: COMMANDS,
  })
}

if (isMain(import.meta.url)) process.exitCode = await staffCommand(process.argv.slice(2))
