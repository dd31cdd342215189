import { describe, expect, it } from 'vitest'
import { HOUR } from '../../core/contract/time.ts'
import { countFailed } from '../../core/deliveries/stores/failed-jobs.ts'
import { createLog } from '../../core/platform/log.ts'
import {
  inviteStaff,
  requestReset,
  resetPassword,
  resetPasswordByHand,
  setPasswordByLink,
} from '../../core/staff/account.ts'
import { newTotpSecret } from '../../core/staff/rules/second-factor.ts'
import { confirmTotp, removeTotp, renewRecoveryCodes, resetFactors, signIn } from '../../core/staff/sign-in.ts'
import * as accounts from '../../core/staff/stores/staff-accounts.ts'
import { codeOf } from '../support/cookie-browser.ts'
import { createStaff } from '../support/factories.ts'
import { attempt } from '../support/lead-jobs.ts'
import { useWorkerServices } from '../support/worker-services.ts'

const worker = useWorkerServices()
const LOG = createLog('test', 'silent')
const ADA = { name: 'Ada Park', email: 'ada@leadwell.example', role: 'viewer' as const }
const BOSS = { actor: 'boss@leadwell.example' }

async function runAll(): Promise<void> {
  const waiting = await worker.db('jobs').where('state', 'waiting').orderBy('created_at').pluck('id')
  for (const id of waiting) await attempt([id], worker, LOG)
}
const invite = () => inviteStaff(worker.db, ADA, BOSS)
const linkOf = async (id: number) => (await accounts.get(worker.db, id)).link
const tokenIn = (text: unknown) => /\/admin\/password#([\w-]{43})/.exec(String(text))?.[1] ?? ''
const lastMail = () => worker.smtp.mails.at(-1)

describe('an invitation', () => {
  it('goes to the account’s own address, with a link that works for 72 hours', async () => {
    const { id } = await invite()
    await runAll()

    expect(lastMail()).toMatchObject({ recipients: [ADA.email] })
    expect(lastMail()?.text).toContain('A manager (boss@leadwell.example) created an account for you.')
    const token = tokenIn(lastMail()?.text)
    expect(String(lastMail()?.html)).toContain(token)
    expect(await accounts.find(worker.db, token)).toMatchObject({ accountId: id, kind: 'invitation' })
    const link = await linkOf(id)
    expect(link).toMatchObject({ state: 'sent', error: null })
    const left = Date.parse(String(link?.expires_at)) - Date.now()
    expect(left).toBeGreaterThan(71 * HOUR)
    expect(left).toBeLessThanOrEqual(72 * HOUR)
    for (const table of ['one_time_tokens', 'jobs', 'job_attempts', 'audit_log', 'staff_accounts']) {
      expect(JSON.stringify(await worker.db(table))).not.toContain(token)
    }
    await worker.db('one_time_tokens').update({ expires_at: worker.db.raw(`now() - interval '1 second'`) })
    expect(await linkOf(id)).toMatchObject({ state: 'expired' })
  })

  it('that the mail server refuses is a failure that managers see, and can be sent again', async () => {
    worker.smtp.answer({ status: 550, at: 'recipient', text: '5.1.1 no such mailbox' })
    const { id } = await invite()
    await runAll()
    expect(await linkOf(id)).toMatchObject({ state: 'failed', error: expect.stringMatching(/./) })
    expect(await countFailed(worker.db, {})).toBe(1)

    worker.smtp.answer('accept')
    await resetPassword(worker.db, id, BOSS)
    expect(await linkOf(id)).toMatchObject({ kind: 'invitation', state: 'sending', error: null })
    expect(await countFailed(worker.db, {})).toBe(0)
    await runAll()
    expect(await linkOf(id)).toMatchObject({ state: 'sent' })
    expect(await accounts.find(worker.db, tokenIn(lastMail()?.text))).toMatchObject({ accountId: id })
  })

  it('is not sent once the link was replaced, used or ended', async () => {
    const { id } = await invite()
    const made = await resetPasswordByHand(worker.db, id, BOSS)
    await runAll()
    expect(worker.smtp.mails).toEqual([])
    expect(await worker.db('jobs').first('state')).toEqual({ state: 'cancelled' })
    expect(await accounts.find(worker.db, made.token)).not.toBeNull()
  })
})

it('a reset brings a link that works for an hour, and says that the old password does not', async () => {
  const { id, email } = await createStaff(worker.db)
  await resetPassword(worker.db, id, BOSS)
  await runAll()
  expect(lastMail()).toMatchObject({ recipients: [email] })
  expect(lastMail()?.text).toContain('The old password no longer works')
  const link = await accounts.find(worker.db, tokenIn(lastMail()?.text))
  expect(Date.parse(String(link?.expires_at)) - Date.now()).toBeLessThanOrEqual(HOUR)
})

it('a link that its owner asks for leaves the old password as it is, and says when a new one is chosen', async () => {
  const { email } = await createStaff(worker.db)
  await requestReset(worker.db, email)
  await runAll()
  expect(lastMail()).toMatchObject({ recipients: [email] })
  expect(lastMail()?.text).toContain('Until you choose one, the old password works.')
  await setPasswordByLink(worker.db, tokenIn(lastMail()?.text), 'chosen by its owner again')
  await runAll()
  expect(lastMail()).toMatchObject({ recipients: [email], subject: expect.stringContaining('was changed') })
})

describe('the owner of an account is told', () => {
  it('of each change of the second factor', async () => {
    const { id, email } = await createStaff(worker.db)
    const [key, self, secret] = [Buffer.alloc(32), { accountId: id, email, sessionId: null }, newTotpSecret()]
    const turnOn = () => confirmTotp(worker.db, key, self, { secret, code: codeOf(secret) })
    await turnOn()
    await renewRecoveryCodes(worker.db, key, self)
    await removeTotp(worker.db, self, false)
    await turnOn()
    await resetFactors(worker.db, id, BOSS)
    await runAll()
    const texts = worker.smtp.mails.map(({ text }) => String(text))
    expect(worker.smtp.mails.map(({ recipients }) => recipients)).toEqual(Array(5).fill([email]))
    expect(texts[0]).toContain('Added: Authenticator app')
    expect(texts[1]).toContain('Added: Recovery codes')
    expect(texts[2]).toContain('tell a manager right away and ask them to reset your password')
    expect(texts[4]).toContain('A manager (boss@leadwell.example) reset it')
  })

  it('of each sign-in from a browser that is new, with browser and address', async () => {
    const { id, email } = await createStaff(worker.db)
    const from = (ip: string, isNew: boolean) => ({
      device: { ip, userAgent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/131.0 Safari/537.36' },
      idle: HOUR,
      isNew,
    })
    await signIn(worker.db, { accountId: id }, from('198.51.100.7', true), { actor: email })
    await signIn(worker.db, { accountId: id }, from('198.51.100.8', true), { actor: email })
    await signIn(worker.db, { accountId: id }, from('198.51.100.9', false), { actor: email })
    await runAll()
    const texts = worker.smtp.mails.map(({ text }) => String(text))
    expect(texts).toHaveLength(2)
    expect(texts[0]).toContain('Chrome on Windows')
    expect(texts.join()).toContain('198.51.100.7')
    expect(texts.join()).toContain('198.51.100.8')
  })
})
