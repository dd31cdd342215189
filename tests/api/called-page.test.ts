import { beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../core/contract/time.ts'
import { assignProvider } from '../../core/leads/assign-provider.ts'
import { type RequestLink, signRequestLink } from '../../core/leads/rules/request-links.ts'
import * as leadChanges from '../../core/leads/stores/lead-changes.ts'
import * as leads from '../../core/leads/stores/leads.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { useApi } from '../support/api-server.ts'
import { testEnv } from '../support/env.ts'
import { createLead, createProvider, deliverAll } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { requireBuild } from '../support/processes.ts'

const { api, database } = useApi()
beforeAll(requireBuild)

const KEY = deriveKey(testEnv().DATA_KEY, 'request-link')

/** A lead whose clinic was told, with the address of the visitor's page. */
async function askedLead(overrides: Partial<RequestLink> = {}) {
  const { id: providerId } = await createProvider(database.db, { practice_name: 'Lamar Clinic' })
  const id = await createLead(database.db, { providerId })
  await deliverAll(database.db, id)
  const { matched_at } = found(await leads.find(database.db, id))
  const expiresOn = Math.floor(Date.now() / DAY) + 60
  const link: RequestLink = { of: 'visitor', leadId: id, providerId, matchedAt: String(matched_at), expiresOn }
  return { id, path: `/called/${signRequestLink(KEY, { ...link, ...overrides })}` }
}
const open = (path: string) => api.call('GET', path, undefined, { accept: 'text/html' })
const press = (path: string, answer: string) =>
  api.call('POST', `${path}?answer=${answer}`, '', { 'content-type': 'application/x-www-form-urlencoded' })
const outcomes = () => database.db('lead_outcomes').orderBy('id').pluck('kind')

describe('the page behind the question to a visitor', () => {
  it('asks, shows the chosen answer first, and changes nothing when a program opens it', async () => {
    const { path } = await askedLead()
    for (const address of [path, `${path}?answer=no_longer`, `${path}?answer=other`]) {
      const { status, headers, body } = await open(address)
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect(body).toContain('Lamar Clinic')
      const first = /<form[^>]* action="\?answer=(\w+)"/.exec(body)?.[1]
      expect(first).toBe(address.endsWith('no_longer') ? 'no_longer' : 'yes')
      expect(body).not.toContain(path)
    }
    expect(await outcomes()).toEqual([])
  })

  it.each([
    ['yes', 'reached', 'Good to know'],
    ['not_yet', 'no_answer', 'We are on it'],
    ['no_longer', 'declined', 'Your request has ended'],
  ])('records %s as %s after one tap, once', async (answer, kind, title) => {
    const { path } = await askedLead()
    const { status, body } = await press(path, answer)
    expect(status).toBe(200)
    expect(body).toContain(title)
    await press(path, answer)
    expect(await outcomes()).toEqual([kind])
  })

  it('has nothing to ask once another clinic has the lead, or the lead is deleted', async () => {
    const [moved, deleted] = [await askedLead(), await askedLead()]
    await assignProvider(database.db, moved.id, (await createProvider(database.db)).id, { actor: 'staff' })
    await database.db.transaction((trx) => leadChanges.setAside(trx, deleted.id))
    for (const { path } of [moved, deleted]) {
      expect((await press(path, 'yes')).body).toContain('There is nothing to answer')
    }
    expect(await outcomes()).toEqual([])
  })

  it.each([
    ['a clinic’s token', async () => (await askedLead({ of: 'clinic' })).path],
    ['an expired token', async () => (await askedLead({ expiresOn: Math.floor(Date.now() / DAY) - 1 })).path],
    ['a forged token', async () => (await askedLead()).path.replace(/..$/, 'xx')],
  ])('refuses %s', async (_, make) => {
    const path = await make()
    for (const { status, body } of [await open(path), await press(path, 'yes')]) {
      expect(status).toBe(404)
      expect(body).toContain('This link is not complete')
    }
    expect(await outcomes()).toEqual([])
  })
})
