import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import * as health from '../../../../core/conditions/stores/health.ts'
import { MINUTE } from '../../../../core/contract/time.ts'
import { useDatabase } from '../../../support/database.ts'

const database = useDatabase()

const SETTINGS = {
  mail: { server: 'mail.example:587', from: 'care@clinics.example', team: 'team@clinics.example', isSigned: false },
  crm: { kind: 'webhook', host: 'crm.example' },
}

const read = () => health.read(database.app)
const passes = (ms: number) =>
  database.db('worker_heartbeats').update({ seen_at: database.db.raw(`seen_at - ? * interval '1 ms'`, [ms]) })

it('a worker runs from its first heartbeat until it stops, or is no longer seen', async () => {
  const [one, other] = [randomUUID(), randomUUID()]
  expect(await read()).toEqual({ running: 0, lastSeen: null, runningSince: null })
  for (const id of [one, other, one]) await health.beat(database.app, id, SETTINGS)
  expect(await read()).toMatchObject({ running: 2, lastSeen: expect.any(Date), runningSince: expect.any(Date) })
  await health.stop(database.app, one)
  expect((await read()).running).toBe(1)
  await passes(MINUTE)
  expect(await read()).toMatchObject({ running: 0, lastSeen: expect.any(Date), runningSince: null })
})

it('heartbeats of workers that are long gone are deleted when another one begins', async () => {
  await health.beat(database.app, randomUUID(), SETTINGS)
  await passes(8 * 24 * 60 * MINUTE)
  const id = randomUUID()
  await health.beat(database.app, id, SETTINGS)
  expect(await database.db('worker_heartbeats').pluck('id')).toEqual([id])
})

it('says what the newest running worker is connected to', async () => {
  const readSettings = () => health.readSettings(database.app)
  const [one, other] = [randomUUID(), randomUUID()]
  expect(await readSettings()).toBeNull()
  await health.beat(database.app, one, SETTINGS)
  const newer = { ...SETTINGS, crm: { kind: 'hubspot', host: null } }
  await health.beat(database.app, other, newer)
  expect(await readSettings()).toEqual(newer)
  await health.stop(database.app, other)
  expect(await readSettings()).toEqual(SETTINGS)
})
