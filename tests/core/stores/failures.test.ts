import { expect, it } from 'vitest'
import { assignProvider } from '../../../core/commands/leads/assign-provider.ts'
import { retryAll } from '../../../core/commands/retry-deliveries.ts'
import type { FailureCause, JobName, JobState } from '../../../core/contract/jobs.ts'
import * as failures from '../../../core/stores/failures.ts'
import * as leadLists from '../../../core/stores/lead-lists.ts'
import { useDatabase } from '../../support/database.ts'
import { createLead, createProvider } from '../../support/factories.ts'

const database = useDatabase()

/** The failures of leads that came before March 9. */
const PERIOD = { from: '2026-03-01', to: '2026-03-08' }
const read = () =>
  database.db.transaction((trx) =>
    failures.read(trx, `created_at < '2026-03-09T00:00:00Z'`, { ...PERIOD, first: 1, last: 2_147_483_647 }),
  )

/** A lead of March 2, unless told otherwise. */
async function leadOf(providerId: number, at = '2026-03-02T12:00:00Z'): Promise<number> {
  const id = await createLead(database.db, { providerId })
  await database.db('leads').where({ id }).update({ created_at: at })
  return id
}

const provider = async (columns = {}) => (await createProvider(database.db, columns)).id

type Settling = { name: JobName; purpose?: string; state?: JobState; cause: FailureCause }

/** Ends the jobs of that kind, as the worker would have. */
async function settle(id: number, { name, purpose, state = 'failed', cause }: Settling): Promise<void> {
  await database
    .db('jobs')
    .where({ lead_id: id, name, ...(purpose && { purpose }) })
    .update({ state, finished_at: state === 'failed' ? new Date(0) : null, last_cause: cause })
}

it('are grouped by cause, the most frequent first', async () => {
  const providerId = await provider()
  for (const name of ['ada', 'bob', 'eve']) {
    const id = await leadOf(providerId)
    await settle(id, { name: 'send-email', purpose: 'visitor', cause: 'unknown_mailbox' })
    await settle(id, {
      name: 'sync-crm',
      state: name === 'eve' ? 'failed' : 'waiting',
      cause: 'server_error',
    })
  }
  const blocked = await leadOf(providerId)
  await settle(blocked, { name: 'send-email', purpose: 'visitor', cause: 'blocked' })

  const found = await read()
  expect(found.map(({ target, cause, failed, retrying }) => [target, cause, failed, retrying])).toEqual([
    ['crm', 'server_error', 1, 2],
    ['visitor', 'unknown_mailbox', 3, 0],
    ['visitor', 'blocked', 1, 0],
  ])
  expect(found[1]).toMatchObject({ words: 'The mailbox does not exist.', advice: expect.any(String), clinics: 0 })
})

it('name the clinics whose e-mails they are, and are the leads that the list finds by them', async () => {
  const [lindqvist, chen] = [
    await provider({ practice_name: 'Lindqvist Clinic' }),
    await provider({ practice_name: 'Chen' }),
  ]
  const gone = { name: 'send-email', purpose: 'provider', cause: 'unknown_mailbox' } as const
  for (const providerId of [chen, lindqvist, lindqvist]) await settle(await leadOf(providerId), gone)
  const waiting = await leadOf(chen)
  await settle(waiting, { ...gone, state: 'waiting' })
  // The CRM was told of it twice, and refused both.
  await assignProvider(database.db, waiting, lindqvist, { actor: 'staff' })
  await settle(waiting, { name: 'sync-crm', cause: 'refused' })
  await settle(waiting, gone)
  await settle(waiting, { ...gone, purpose: 'visitor' })
  const resent = await leadOf(chen)
  await settle(resent, gone)
  await retryAll(database.db, `lead:${resent}`, 'send-email', { actor: 'staff' })
  await leadOf(chen, '2026-03-09T00:00:00Z').then((id) => settle(id, gone))

  const found = await read()
  expect(found.map(({ target, cause, failed, retrying }) => [target, cause, failed, retrying])).toEqual([
    ['clinic', 'unknown_mailbox', 4, 0],
    ['crm', 'refused', 1, 0],
    ['visitor', 'unknown_mailbox', 1, 0],
  ])
  expect(found[0]).toMatchObject({
    topClinics: [
      { id: lindqvist, name: 'Lindqvist Clinic', leads: 3 },
      { id: chen, name: 'Chen', leads: 1 },
    ],
    clinics: 2,
  })
  for (const { target, cause, failed, retrying } of found) {
    expect(await leadLists.count(database.db, { target, cause, ...PERIOD, timeZone: 'UTC' })).toBe(failed + retrying)
  }
  const ofClinic = {
    target: 'clinic',
    cause: 'unknown_mailbox',
    provider_id: lindqvist,
    ...PERIOD,
    timeZone: 'UTC',
  } as const
  expect(await leadLists.count(database.db, ofClinic)).toBe(3)
})
