import { describe, expect, it } from 'vitest'
import { type ConditionLine, MAX_LINES_PER_KIND } from '../../core/conditions/contract/conditions.ts'
import { DAY, HOUR } from '../../core/contract/time.ts'
import { only } from '../../core/platform/db.ts'
import { changeRules } from '../../core/providers/change-provider.ts'
import type { StaffRole } from '../../core/staff/contract/staff.ts'
import { ago, useAttention } from '../support/attention.ts'
import { createApplication, createLead, signedInStaff } from '../support/factories.ts'

const { api, database, get, lines, theLine, post, clinic, deliveredLead, fail, makeLate } = useAttention()

const headersOf = async (role: StaffRole) => (await signedInStaff(database.db, { role })).headers
const byClinic = { actor: 'clinic' }

describe('a line that is set aside', () => {
  const mark = (line: ConditionLine, until?: string) => post('/api/attention/mark', { lines: [line], until })

  it('is gone while it is done, is among those set aside, and can be taken back', async () => {
    const id = await createLead(database.db, { heldReason: 'honeypot' })
    expect((await mark(await theLine())).status).toBe(200)
    expect(await get()).toMatchObject({ lines: [], total: 0, counts: {}, aside: 1 })
    expect(only(await lines('?aside=true'))).toMatchObject({ leadId: id, mark: { until: null, by: 'staff' } })

    expect((await post('/api/attention/mark', { lines: await lines('?aside=true'), undo: true })).status).toBe(200)
    expect(await theLine()).toMatchObject({ leadId: id, mark: null })
    expect(await database.db('audit_log').where('action', 'set-aside').orderBy('id')).toMatchObject([
      { actor: 'staff', entity: 'attention', entity_id: String(id), details: { key: `held:${id}` } },
      { details: { key: `held:${id}`, undone: true } },
    ])
  })

  it('returns when its time has come', async () => {
    await createLead(database.db, { heldReason: 'honeypot' })
    const until = new Date(Date.now() + HOUR).toISOString()
    await mark(await theLine(), until)
    expect(only(await lines('?aside=true')).mark).toMatchObject({ until })
    await database.db('attention_marks').update({ snoozed_until: ago(HOUR) })
    expect(await lines()).toHaveLength(1)
  })

  it('returns when there is news, and not when some of the trouble goes', async () => {
    const provider = await clinic()
    const leads = [await deliveredLead({ providerId: provider }), await deliveredLead({ providerId: provider })]
    await fail(leads[0] ?? 0, 'provider', { finished_at: ago(2 * HOUR) })
    await fail(leads[1] ?? 0, 'provider', { finished_at: ago(HOUR) })
    await mark(await theLine())
    await post(`/api/leads/${leads[1]}/retry-email`)
    expect(await lines()).toEqual([])
    await fail(await deliveredLead({ providerId: provider }), 'provider')
    expect(await theLine()).toMatchObject({ leads: { total: 2 } })
  })
})

it('masks what other systems said for viewers, and no dates', async () => {
  const provider = await clinic()
  await fail(await deliveredLead({ providerId: provider }), 'created', { detail: 'bob@visitors.example is unknown' })
  const until = new Date(Date.now() + DAY).toISOString()
  await changeRules(database.db, provider, { is_paused: true, paused_until: until }, byClinic)
  const words = (await get('', await headersOf('viewer'))).lines.map((line) => line.words)
  expect(words).toEqual([expect.stringContaining('•••@v•••.example is unknown'), expect.stringMatching(/ [AP]M /)])
})

it('logs whose requests a reader of the list has seen', async () => {
  const id = await createLead(database.db, { heldReason: 'honeypot' })
  const application = await createApplication(database.db, { heldReason: 'honeypot' })
  await get('', await headersOf('manager'))
  await api.writeReadings()
  expect(await database.db('access_log').orderBy('entity', 'desc')).toMatchObject([
    { call: 'GET /api/attention', entity: 'lead', row_ids: [id] },
    { call: 'GET /api/attention', entity: 'application', row_ids: [application] },
  ])
})

it('has the most urgent kind first, and up to fifty lines of each with the number of all', async () => {
  await createApplication(database.db, { heldReason: 'honeypot' })
  for (let n = 0; n <= MAX_LINES_PER_KIND; n++) await createLead(database.db, { heldReason: 'honeypot' })
  const late = await deliveredLead({ providerId: await clinic() })
  await makeLate(late)
  const { lines: found, counts, total } = await get()
  expect(counts).toEqual({ 'no-answer': 1, held: MAX_LINES_PER_KIND + 1, application: 1 })
  expect(total).toBe(MAX_LINES_PER_KIND + 3)
  expect(found).toHaveLength(MAX_LINES_PER_KIND + 2)
  expect([...new Set(found.map(({ kind }) => kind))]).toEqual(['no-answer', 'held', 'application'])
})
