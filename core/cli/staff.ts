import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { z } from 'zod'
import { staffLinkUrl } from '../contract/page.ts'
import { formatMoment } from '../dates.ts'
import { readPublicUrl, readTimeZone } from '../env.ts'
import { AppError } from '../errors.ts'
import type { Db } from '../platform/db.ts'
import { addStaff, changeStaff, inviteStaffByHand, resetPasswordByHand, setPassword } from '../staff/account.ts'
import { ChosenPassword, NewStaff, type StaffAccount } from '../staff/contract/staff.ts'
import { resetFactors, setSharedPassword } from '../staff/sign-in.ts'
import * as accounts from '../staff/stores/staff-accounts.ts'
import { isSharedPasswordOff, type MadeLink } from '../staff/stores/staff-accounts.ts'
import { done, isMain, type Result, runCommand, UsageError } from './command-line.ts'

/**
 * Reads a password from the person at the terminal: typed twice without being shown, or, if stdin is no terminal, its
 * first line.
 * @throws AppError when the two differ or nothing is entered
 */
export async function askPassword(input: NodeJS.ReadStream = process.stdin): Promise<string> {
  if (!input.isTTY) return firstLine(input)

  const password = await typed(input, 'Password: ')
  if ((await typed(input, 'Again: ')) !== password)
    throw new AppError('invalid', 'The two passwords differ. Nothing was changed.')
  return password
}

async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  let text = ''
  for await (const chunk of input.setEncoding('utf8')) text += chunk
  const [line] = text.split(/\r?\n/)
  if (!line) throw new AppError('invalid', 'No password on stdin. Pipe one in, or run this in a terminal.')
  return line
}

async function typed(input: NodeJS.ReadStream, question: string): Promise<string> {
  process.stderr.write(question)
  // readline would echo the input; this discards it.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input, output, terminal: true })
  reader.on('SIGINT', () => process.exit(130))
  try {
    return await reader.question('')
  } finally {
    reader.close()
    process.stderr.write('\n')
  }
}

const USAGE = `Staff accounts in the database of DATABASE_URL.

  npm run staff -- add --name "Ada Park" --email ada@example.com --role manager
  npm run staff -- set-password --email ada@example.com
  npm run staff -- set-role --email ada@example.com --role viewer
  npm run staff -- reset-factor --email ada@example.com
  npm run staff -- disable --email ada@example.com
  npm run staff -- enable --email ada@example.com
  npm run staff -- list
  npm run staff -- shared-password-on
  npm run staff -- shared-password-off

Roles are viewer, agent and manager. The command asks for the password, or reads it from stdin if that is not a terminal.
With --invite, add and set-password print a link (PUBLIC_URL) with which the owner chooses a password: once, within
72 hours for a new account, and within an hour for an existing one.`

const BY_COMMAND = { actor: 'command line' }

type Options = { name?: string; email?: string; role?: string; invite?: boolean }

const COMMANDS: Record<string, (db: Db, options: Options) => Promise<Result>> = {
  async add(db, options) {
    const staff = read(NewStaff, options)
    if (options.invite) {
      const wordsOf = linkWords(staff)
      return done(wordsOf(await inviteStaffByHand(db, staff, BY_COMMAND)))
    }
    const account = await addStaff(db, staff, read(ChosenPassword, await askPassword()), BY_COMMAND)
    return done(`${account.name} <${account.email}> can now sign in. Role: ${account.role}.`)
  },
  async 'set-password'(db, options) {
    const account = await find(db, options)
    const { id, email } = account
    if (options.invite) {
      const wordsOf = linkWords(account)
      return done(wordsOf(await resetPasswordByHand(db, id, BY_COMMAND)))
    }
    await setPassword(db, id, read(ChosenPassword, await askPassword()), BY_COMMAND)
    return done(`The password of ${email} is set. Their sessions have ended.`)
  },
  async 'set-role'(db, options) {
    const { id } = await find(db, options)
    const { role } = read(NewStaff.pick({ role: true }), options)
    const { email } = await changeStaff(db, id, { role }, BY_COMMAND)
    return done(`The role of ${email} is now ${role}.`)
  },
  async 'reset-factor'(db, options) {
    const { id, email } = await find(db, options)
    await resetFactors(db, id, BY_COMMAND)
    return done(`The two-step sign-in of ${email} is removed. Their sessions have ended.`)
  },
  async disable(db, options) {
    const { id } = await find(db, options)
    const { email } = await changeStaff(db, id, { disabled: true }, BY_COMMAND)
    return done(`${email} can no longer sign in. Their sessions have ended.`)
  },
  async enable(db, options) {
    const { id } = await find(db, options)
    const { email } = await changeStaff(db, id, { disabled: false }, BY_COMMAND)
    return done(`${email} can sign in again.`)
  },
  async list(db) {
    const staff = await accounts.list(db)
    const lines = staff.length > 0 ? staff.map(line) : ['There are no accounts yet. Create the first one with "add".']
    if (await isSharedPasswordOff(db)) lines.push('The shared password is turned off.')
    return done(lines.join('\n'))
  },
  async 'shared-password-on'(db) {
    await setSharedPassword(db, true, BY_COMMAND)
    return done('The shared password (ADMIN_PASSWORD) opens the dashboard again.')
  },
  async 'shared-password-off'(db) {
    await setSharedPassword(db, false, BY_COMMAND)
    return done('The shared password is turned off. Its sessions have ended.')
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
function linkWords({ email }: Pick<StaffAccount, 'email'>): (link: MadeLink) => string {
  const [publicUrl, timeZone] = [readPublicUrl(), readTimeZone()]
  return ({ token, expiresAt }) => `${email} chooses a password here: ${staffLinkUrl(publicUrl, token)}
The link works once, until ${formatMoment(expiresAt, timeZone)}. It is not shown again.`
}

function line({ name, email, role, disabled_at, has_password, last_seen_at }: StaffAccount): string {
  const invitation = has_password ? 'enabled' : 'invited'
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
