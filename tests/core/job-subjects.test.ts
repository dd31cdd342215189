import { expect } from 'vitest'
import { queryRows } from '../../core/platform/db.ts'
import { migrate, migrationFiles } from '../../core/platform/migrations.ts'
import { it } from '../support/empty-database.ts'

const MIGRATION = '20261127T111500Z-job-subjects'

/** Jobs as the columns for their owners had them, with the subject and the payload that they get. */
const JOBS: [purpose: string, columns: Record<string, unknown>, subject: string | null, payload: object][] = [
  ['match-lead nearest', { lead_id: 1 }, 'lead:1', {}],
  ['match-lead nearest', { lead_id: 1, sync_id: 5, generation: 2 }, 'lead:1', { syncId: 5 }],
  ['send-email provider', { lead_id: 1 }, 'lead:1', {}],
  ['send-email provider', { lead_id: 2 }, 'lead:2', {}],
  ['send-email passed_on', { lead_id: 1, previous_provider_id: 7 }, 'lead:1', { previousProviderId: 7 }],
  ['send-email passed_on', { lead_id: 1, previous_provider_id: 8, generation: 2 }, 'lead:1', { previousProviderId: 8 }],
  ['send-email opted_out', { lead_id: 1, told_provider_id: 9 }, 'lead:1', { providerId: 9 }],
  ['send-email erased', { lead_id: 3, previous_provider_id: 7 }, 'lead:3', { previousProviderId: 7 }],
  ['sync-crm created', { lead_id: 1 }, 'lead:1', {}],
  ['send-email team', { application_id: 1 }, 'application:1', {}],
  ['send-email applicant', { application_id: 1 }, 'application:1', {}],
  ['send-email reset', { account_id: 1 }, 'account:1', {}],
  ['send-email team', { sync_id: 5 }, 'sync:5', {}],
  ['send-email provider_changed', { sync_id: 5, told_provider_id: 7 }, 'sync:5', { providerId: 7 }],
  ['send-email provider_changed', { sync_id: 5, told_provider_id: 8 }, 'sync:5', { providerId: 8 }],
  ['sync-providers run', { sync_id: 5 }, 'sync:5', {}],
  ['send-email weekly_report', { report_id: 20261116 }, 'report:20261116', {}],
  ['send-email test', { told_provider_id: 7 }, 'provider:7', {}],
  ['send-email clinic_link', { told_provider_id: 7 }, 'provider:7', {}],
  ['send-email clinic_link', { told_provider_id: 7 }, 'provider:7', {}],
  ['send-email test', { payload: { to: 'me@staff.example' } }, null, { to: 'me@staff.example' }],
  ['sync-crm test', { payload: { to: null } }, null, { to: null }],
  ['send-alert alert', { payload: { channelId: 3, at: 'now' } }, null, { channelId: 3, at: 'now' }],
  ['bulk retry-failed', {}, null, {}],
  ['purge nightly', {}, null, {}],
]

it('every job of an older release keeps what it is about, and what it says', async ({ db }) => {
  const files = await migrationFiles.getMigrations([])
  const before = files.slice(0, files.indexOf(MIGRATION))
  await migrate(db, { source: { ...migrationFiles, getMigrations: async () => before } })
  const ids: string[] = []
  for (const [kind, { payload, ...columns }] of JOBS) {
    const [name, purpose] = kind.split(' ')
    const row = { name, purpose, ...columns, ...(payload !== undefined && { payload: JSON.stringify(payload) }) }
    const [{ id } = { id: '' }] = await db('jobs')
      .insert(row as never)
      .returning('id')
    ids.push(id)
  }

  expect(await migrate(db)).toContain(MIGRATION)
  const rows = await queryRows<{ id: string }>(
    db,
    `select id, name || ' ' || purpose as kind, subject_kind || ':' || subject_id as subject, payload, generation, state from jobs`,
  )
  const rowOf = new Map(rows.map(({ id, ...row }) => [id, row]))
  expect(ids.map((id) => rowOf.get(id))).toEqual(
    JOBS.map(([kind, { generation = 1 }, subject, payload]) => ({
      ...{ kind, subject, payload, generation, state: 'waiting' },
    })),
  )
  expect(rows).toHaveLength(JOBS.length)
})
