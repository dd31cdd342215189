import { describe, expect, it } from 'vitest'
import { assignProvider } from '../../../core/leads/assign-provider.ts'
import { deleteLead, purgeLead } from '../../../core/leads/change-lead.ts'
import { recordOutcome } from '../../../core/leads/record-outcome.ts'
import * as outcomes from '../../../core/leads/stores/outcomes.ts'
import { useDatabase } from '../../support/database.ts'
import { PERSON_KEY } from '../../support/env.ts'
import { createLead, createProvider } from '../../support/factories.ts'
import { ledger } from './records.ts'

const database = useDatabase()

const CLINIC = { source: 'clinic', actor: 'clinic' } as const
const record = (id: number, outcome: Omit<outcomes.NewOutcome, 'source' | 'actor'> & { source?: 'crm' }) =>
  recordOutcome(database.db, id, { ...CLINIC, ...outcome })
const lead = (id: number) => database.db('leads').where({ id }).first('outcome', 'outcome_at')
const clock = (id: number) => database.db('answer_clocks').where('lead_id', id).first()
const kinds = async (id: number) => (await outcomes.list(database.db, id)).map(({ kind }) => kind)

describe('an outcome', () => {
  const matched = async () => {
    const { id: providerId } = await createProvider(database.db)
    return createLead(database.db, { providerId })
  }

  it('becomes the current one, stops the clock, and is sent to the CRM', async () => {
    const id = await matched()
    expect(await clock(id)).toMatchObject({ answered_at: null, step: 'start', step_at: expect.any(Date) })

    expect(await record(id, { kind: 'booked', booked_for: '2026-12-01', note: 'At nine.' })).toBe(true)
    expect(await lead(id)).toEqual({ outcome: 'booked', outcome_at: expect.any(Date) })
    expect(await clock(id)).toMatchObject({ answered_at: expect.any(Date), step_at: null })
    expect(await ledger(database, id)).toContain('sync-crm outcome 1 waiting')
    expect(await outcomes.list(database.db, id)).toMatchObject([
      { kind: 'booked', booked_for: '2026-12-01', note: 'At nine.', source: 'clinic', clinic: expect.any(String) },
    ])
  })

  it('is kept when another one follows, and recorded once when it is stated twice', async () => {
    const id = await matched()
    await record(id, { kind: 'no_answer' })
    const first = (await clock(id))?.answered_at
    expect(await record(id, { kind: 'no_answer' })).toBe(false)
    await record(id, { kind: 'reached' })
    await record(id, { kind: 'no_answer' })

    expect(await kinds(id)).toEqual(['no_answer', 'reached', 'no_answer'])
    expect((await lead(id))?.outcome).toBe('no_answer')
    expect((await clock(id))?.answered_at).toEqual(first)
  })

  it('of a clinic that opens its page stops no clock and replaces no answer', async () => {
    const id = await matched()
    expect(await record(id, { kind: 'opened' })).toBe(true)
    expect(await record(id, { kind: 'opened' })).toBe(false)
    expect(await clock(id)).toMatchObject({ answered_at: null, step_at: expect.any(Date) })
    expect(await ledger(database, id)).not.toContain('sync-crm outcome 1 waiting')

    await record(id, { kind: 'reached' })
    expect(await record(id, { kind: 'opened' })).toBe(false)
    expect(await kinds(id)).toEqual(['opened', 'reached'])
  })

  it('from the CRM is recorded once for each of its messages, and not sent back to the CRM', async () => {
    const id = await matched()
    const said = { kind: 'attended', source: 'crm', eventId: 'msg_1' } as const
    expect(await record(id, said)).toBe(true)
    await record(id, { kind: 'treated', source: 'crm', eventId: 'msg_2' })
    expect(await record(id, said)).toBe(false)

    expect((await lead(id))?.outcome).toBe('treated')
    expect(await ledger(database, id)).not.toContain('sync-crm outcome 1 waiting')
  })

  it('does not count for the next clinic, and its history stays', async () => {
    const id = await matched()
    await record(id, { kind: 'declined', reason: 'no_capacity' })
    const next = await createProvider(database.db)
    await assignProvider(database.db, id, next.id, { actor: 'staff' })

    expect(await lead(id)).toEqual({ outcome: null, outcome_at: null })
    expect(await clock(id)).toMatchObject({ provider_id: next.id, answered_at: null, step: 'start' })
    expect(await kinds(id)).toEqual(['declined'])
  })

  it('cannot be changed in the database, and goes with its lead', async () => {
    const id = await matched()
    await record(id, { kind: 'reached' })
    await expect(database.db('lead_outcomes').update({ kind: 'booked' })).rejects.toThrow('append-only')
    await expect(database.db.raw('select purge_lead_outcomes(?)', [id])).rejects.toThrow('still there')

    await deleteLead(database.db, id, { actor: 'staff' })
    await purgeLead(database.db, id, { actor: 'staff', personKey: PERSON_KEY })
    expect(await kinds(id)).toEqual([])
    expect(await clock(id)).toBeUndefined()
  })

  it('of a held lead is refused', async () => {
    const id = await createLead(database.db, { heldReason: 'honeypot' })
    expect(await clock(id)).toBeUndefined()
    await expect(record(id, { kind: 'reached' })).rejects.toMatchObject({ code: 'conflict' })
  })
})
