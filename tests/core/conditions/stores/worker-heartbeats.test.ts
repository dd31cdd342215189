import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import * as workerHeartbeats from '../../../../core/conditions/stores/worker-heartbeats.ts'
import { MINUTE } from '../../../../core/time.ts'
import { useDatabase } from '../../../support/database.ts'

const database = useDatabase()

const SETTINGS = {
  mail: { server: 'mail.example:587', from: 'care@clinics.example', team: 'team@clinics.example', isSigned: false },
  crm: { kind: 'webhook', host: 'crm.example' },
}

const read = () => workerHeartbeats.read(database.app)
/** As if all heartbeats so far had come so long ago. */
const passes = (ms: number) =>
  database.db('worker_heartbeats').update({ seen_at: database.db.raw(`seen_at - ? * interval '1 ms'`, [ms]) })

it('a worker runs from its first heartbeat until it stops, or is not seen any more', async () => {
  const [one, other] = [randomUUID(), randomUUID()]
  expect(await read()).toEqual({ running: 0, lastSeen: null, runningSince: null })
  for (const id of [one, other, one]) await workerHeartbeats.beat(database.app, id, SETTINGS)
  expect(await read()).toMatchObject({ running: 2, lastSeen: expect.any(Date), runningSince: expect.any(Date) })
  await workerHeartbeats.stop(database.app, one)
  expect((await read()).running).toBe(1)
  await passes(MINUTE)
  expect(await read()).toMatchObject({ running: 0, lastSeen: expect.any(Date), runningSince: null })
})

it('heartbeats of workers that are long gone are deleted when another one begins', async () => {
  await workerHeartbeats.beat(database.app, randomUUID(), SETTINGS)
  await passes(8 * 24 * 60 * MINUTE)
  const id = randomUUID()
  await workerHeartbeats.beat(database.app, id, SETTINGS)
  expect(await database.db('worker_heartbeats').pluck('id')).toEqual([id])
})

it('tells what the newest running worker is connected to', async () => {
  const readSettings = () => workerHeartbeats.readSettings(database.app)
  const [one, other] = [randomUUID(), randomUUID()]
  expect(await readSettings()).toBeNull()
  await workerHeartbeats.beat(database.app, one, SETTINGS)
  const newer = { ...SETTINGS, crm: { kind: 'hubspot', host: null } }
  await workerHeartbeats.beat(database.app, other, newer)
  expect(await readSettings()).toEqual(newer)
  await workerHeartbeats.stop(database.app, other)
  expect(await readSettings()).toEqual(SETTINGS)
})
