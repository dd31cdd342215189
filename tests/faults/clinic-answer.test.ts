import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { verifyRequestLink } from '../../core/leads/rules/request-links.ts'
import { freePort } from '../../local/ports.ts'
import type { ApiClient } from '../support/api-client.ts'
import { createLead, jobsOf } from '../support/factories.ts'
import { LINK_KEY, requestPath } from '../support/requests.ts'
import { startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

const GUESSES = 1_000_000

const answer = (api: ApiClient, path: string) =>
  api.call('POST', path, 'answer=booked&booked_for=2026-12-01', { 'content-type': 'application/x-www-form-urlencoded' })

it('An answer of a clinic is recorded exactly once when the API is killed before it has answered, and the clinic tries again', async () => {
  const site = await startSite()
  const settings = { PORT: String(await freePort()) }
  const id = await createLead(site.db, { providerId: site.providerId })
  const path = await requestPath(site.db, id)
  const recorded = () => site.db('lead_outcomes').where({ lead_id: id }).pluck('kind')

  // Killed while the answer waits for the lock of the lead: nothing is recorded.
  let api = await site.startApi(settings)
  await site.db.transaction(async (trx) => {
    await trx('leads').where({ id }).forUpdate().first('id')
    const lost = answer(api, path).catch(() => 'no answer')
    await waitFor('the answer to wait for the lead', async () => {
      const waiting = await site.db('pg_stat_activity').where({ wait_event_type: 'Lock' }).select('pid')
      return waiting.length > 0
    })
    await api.kill('SIGKILL')
    expect(await lost).toBe('no answer')
  })
  expect(await recorded()).toEqual([])

  // Killed as soon as the answer is recorded: the clinic may not have heard of it.
  api = await site.startApi(settings)
  const lost = answer(api, path).catch(() => 'no answer')
  await waitFor('the record', async () => (await recorded()).length > 0)
  await api.kill('SIGKILL')
  await lost

  api = await site.startApi(settings)
  expect((await answer(api, path)).status).toBe(303)
  expect(await recorded()).toEqual(['booked'])
  expect(await jobsOf(site.db, id, { purpose: 'outcome' }).select('generation')).toEqual([{ generation: 1 }])
})

// Each guess costs one HMAC and one comparison in constant time, whatever its shape, so its time tells nothing either.
it(`none of ${GUESSES.toLocaleString('en-US')} guessed links is accepted`, () => {
  let accepted = 0
  for (let guess = 0; guess < GUESSES; guess += 1) {
    if (verifyRequestLink(LINK_KEY, randomBytes(31).toString('base64url')) !== null) accepted += 1
  }
  expect(accepted).toBe(0)
})
