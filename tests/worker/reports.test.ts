import { describe, expect, it } from 'vitest'
import { HOUR } from '../../core/contract/time.ts'
import { retry } from '../../core/deliveries/retry-deliveries.ts'
import { countFailed, listFailed } from '../../core/deliveries/stores/failed-jobs.ts'
import * as jobs from '../../core/deliveries/stores/jobs.ts'
import * as overview from '../../core/insight/stores/overview.ts'
import { addWeeklyReport } from '../../core/insight/stores/reports.ts'
import type { OutcomeKind } from '../../core/leads/contract/outcomes.ts'
import { recordOutcome } from '../../core/leads/record-outcome.ts'
import { createLead, createProvider, jobsOf } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { attempt } from '../support/lead-jobs.ts'
import { useWorkerServices } from '../support/worker-services.ts'

const worker = useWorkerServices()
const STAFF = { actor: 'staff' }
const MONDAY = new Date('2026-11-23T13:00:00Z')
const WEEK = { from: '2026-11-16', to: '2026-11-22', timeZone: 'America/New_York' }

type Request = {
  at?: string
  providerId?: number
  outcome?: OutcomeKind
  /** Hours from the match to the answer, and to its limit. */
  answered?: number
  due?: number
  source?: string
  failed?: boolean
  held?: boolean
}

/** Stores a lead that came at a time, with its outcome. */
async function request({ at = '2026-11-17T15:00:00Z', providerId, outcome, ...more }: Request = {}): Promise<number> {
  const { db } = worker
  const id = await createLead(db, { providerId, ...(more.held && { heldReason: 'too_fast' }) })
  if (outcome) await recordOutcome(db, id, { kind: outcome, source: 'clinic', actor: 'clinic' })
  const attribution = more.source && JSON.stringify({ last: { utm_source: more.source } })
  const matched = providerId ? { matched_at: at } : {}
  await db('leads')
    .where({ id })
    .update({ created_at: at, ...matched, ...(attribution && { attribution }) })
  const after = (hours?: number) => (hours === undefined ? null : new Date(Date.parse(at) + hours * HOUR))
  await db('answer_clocks')
    .where('lead_id', id)
    .update({ started_at: new Date(at), due_at: after(more.due), answered_at: after(more.answered) })
  const failure = { state: 'failed', last_error: 'No such mailbox.', last_cause: 'unknown_mailbox' } as const
  const mail = more.failed ? failure : ({ state: 'done' } as const)
  await jobsOf(db, id, { purpose: 'provider' }).update({ ...mail, attempts: 1, finished_at: after(0) })
  if (more.failed) await db('leads').where({ id }).update({ email_status: 'failed' })
  return id
}

/** Adds the reports that are due at a time, and makes an attempt at each. Returns the ids of the jobs. */
async function send(now: Date): Promise<string[]> {
  await addWeeklyReport(worker.db, worker.env, now)
  const ids = await worker
    .db('jobs')
    .where('subject_kind', 'report')
    .where('state', 'waiting')
    .orderBy('id')
    .pluck('id')
  await attempt(ids, worker)
  return ids
}
const mails = () => worker.smtp.mails.map(({ recipients, text = '', html = '' }) => ({ recipients, text, html }))
const jobOf = async (id?: string) => found(await jobs.find(worker.db, found(id))).job

describe('the weekly report', () => {
  it('has the figures of the overview, what needs somebody, and links with the filter set', async () => {
    const { db } = worker
    const { id: good } = await createProvider(db, { practice_name: 'Good Clinic' })
    const { id: bad } = await createProvider(db, { practice_name: 'Bad Clinic' })
    await request({ providerId: good, outcome: 'attended', answered: 2, due: 8, source: 'Google' })
    await request({ providerId: good, outcome: 'booked', answered: 4, due: 8, source: 'google' })
    await request({ providerId: bad, due: 8 })
    await request({ providerId: bad, failed: true })
    await request()
    await request({ held: true })
    // In New York this is Sunday of the week before.
    await request({ at: '2026-11-16T04:59:00Z', providerId: good, outcome: 'reached' })

    const [id] = await send(MONDAY)
    expect(await jobOf(id)).toMatchObject({ state: 'done', recipient: 'team@leadwell.example' })
    const [mail] = mails()
    expect(mail?.recipients).toEqual(['team@leadwell.example'])
    const { now } = (await overview.read(db, WEEK)).totals
    expect(now).toMatchObject({ received: 6, delivered: 3, opened: 2, reached: 2, booked: 2, attended: 1 })
    const lines = mail?.text.split('\n').map((line) => line.replace(/ {2,}/g, ' | ').trim())
    expect(lines).toEqual(
      expect.arrayContaining([
        'Leads | Nov 16 to Nov 22 | Nov 9 to Nov 15',
        ...[`Received | ${now.received} | 1`, `Delivered | ${now.delivered} | 1`],
        ...[`Opened by the provider | ${now.opened} | 1`, `Reached | ${now.reached} | 1`],
        ...[`Booked | ${now.booked} | 0`, `Attended | ${now.attended} | 0`],
        'Answered in time | 2 of 3 | –',
        'Median time to answer | 3 hours | –',
        ...['google | 2 | 2', 'Direct | 4 | 0', 'Bad Clinic | 2 | 1'],
      ]),
    )
    const days = 'from=2026-11-16&to=2026-11-22'
    for (const line of [
      `Email failed: 1 http://localhost:3000/admin?tab=leads&email_status=failed&${days}`,
      'CRM failed: 0',
      `Late, no answer: 1 http://localhost:3000/admin?tab=leads&late=true&${days}`,
      `Without a provider: 1 (0 in the previous week) http://localhost:3000/admin?tab=leads&unmatched=true&${days}`,
      `Held for review: 1 (0 in the previous week) http://localhost:3000/admin?tab=leads&held=true&${days}`,
      `Open the overview of this week http://localhost:3000/admin?tab=overview&${days}`,
    ]) {
      expect(lines).toContain(line)
    }
    expect(mail?.text).not.toContain('Good Clinic')
  })

  it('names no visitor', async () => {
    const { id: providerId } = await createProvider(worker.db)
    const ids = [await request({ providerId, outcome: 'booked' }), await request(), await request({ held: true })]
    await send(MONDAY)
    const people = await worker.db('leads').whereIn('id', ids)
    const [mail] = mails()
    for (const { first_name, last_name, email, phone } of people) {
      for (const part of [mail?.text, mail?.html]) {
        for (const known of [first_name, last_name, email, phone]) expect(part).not.toContain(known)
      }
    }
  })

  it('that was refused is a failed delivery, and staff send it again, with the same message once', async () => {
    await request()
    worker.smtp.answer({ status: 550, text: 'no such user', at: 'recipient' })
    const [id] = await send(MONDAY)
    expect(await jobOf(id)).toMatchObject({ state: 'failed', last_cause: 'unknown_mailbox' })
    expect(await countFailed(worker.db, {})).toBe(1)
    expect(await listFailed(worker.db, {}, 10)).toMatchObject([
      { id, purpose: 'weekly_report', subject_kind: 'report' },
    ])

    worker.smtp.reset()
    const [again] = await retry(worker.db, found(id), STAFF)
    await expect(retry(worker.db, found(id), STAFF)).rejects.toThrow('a newer run')
    await attempt([found(again)], worker)
    expect(await jobOf(again)).toMatchObject({ state: 'done', generation: 2 })
    await expect(retry(worker.db, found(again), STAFF)).rejects.toThrow('nothing to retry')
    expect(await countFailed(worker.db, {})).toBe(0)
    const act = await worker.db('audit_log').orderBy('id', 'desc').first('action', 'entity', 'entity_id', 'details')
    const details = { job: id, report: 'weekly_report' }
    expect(act).toEqual({ action: 'retry-email', entity: 'network', entity_id: 'all', details })
  })
})
