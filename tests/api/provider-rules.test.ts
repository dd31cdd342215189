import { describe, expect, it } from 'vitest'
import { NO_RULES, ProviderRulesAnswer } from '../../core/providers/contract/provider-rules.ts'
import { useApi } from '../support/api-server.ts'
import { createProvider, createStaff, leadForm, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()

const as = async (role: 'manager' | 'viewer') =>
  staffHeaders(database.db, (await createStaff(database.db, { role })).id)
const call = async (method: string, path: string, body?: unknown) => api.call(method, path, body, await as('manager'))
const change = (id: number, body: unknown) => call('PATCH', `/api/providers/${id}/rules`, body)

describe('the rules of a provider', () => {
  it('are none at first, are changed field by field, and each change is in the audit log', async () => {
    const { id } = await createProvider(database.db)
    expect((await call('GET', `/api/providers/${id}/rules`)).body).toEqual({
      ...{ rules: NO_RULES, used: { day: 0, week: 0, month: 0 }, updated_at: null, updated_by: null },
    })
    await change(id, { daily_cap: 10, extra_zips: ['10001', '78702', '10001'] })
    const { status, body } = await change(id, { hours: { 1: [['09:00', '12:00']] }, time_zone: 'America/Chicago' })
    expect(status).toBe(200)
    expect(ProviderRulesAnswer.parse(body)).toEqual(body)
    expect(body.rules).toEqual({
      ...NO_RULES,
      ...{ daily_cap: 10, extra_zips: ['10001', '78702'], hours: { 1: [['09:00', '12:00']] } },
      time_zone: 'America/Chicago',
    })
    await change(id, { daily_cap: 10 })
    const lines = await database.db('audit_log').where('action', 'change-rules').orderBy('id').pluck('details')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toEqual({
      from: { daily_cap: null, extra_zips: [] },
      to: { daily_cap: 10, extra_zips: ['10001', '78702'] },
    })
  })

  it('forget the end and the reason of a pause that is ended', async () => {
    const { id } = await createProvider(database.db)
    const until = new Date(Date.now() + 60_000).toISOString()
    await change(id, { is_paused: true, paused_until: until, paused_because: 'Holiday' })
    const { body } = await change(id, { is_paused: false })
    expect(body.rules).toEqual(NO_RULES)
  })
})

it('a lead whose clinic cannot take it goes to the next one, also if the visitor chose the clinic, and says why', async () => {
  const { id } = await createProvider(database.db)
  const { id: next } = await createProvider(database.db, { zip_code: '78704' })
  await change(id, { is_paused: true })
  const { status, body } = await api.call('POST', `/api/leads?providerId=${id}`, leadForm())
  expect([status, body.providerId]).toEqual([201, next])
  const lead = await database.db('leads').first('match_kind', 'match_skipped')
  expect(lead).toMatchObject({
    match_kind: 'nearest',
    match_skipped: [{ id, isChosen: true, obstacle: { reason: 'paused', until: null } }],
  })
})
