import { describe, expect, it } from 'vitest'
import { DeliveryName, type LedgerJob } from '../../core/contract/jobs.ts'
import type { Lead } from '../../core/contract/leads.ts'
import { JOBS } from '../../core/jobs/jobs.ts'
import { askedWords, matchSentence, requestWords } from '../../web/dashboard/leads/sentences.ts'
import { jobLabel, jobNote, jobState } from '../../web/shared/deliveries/job-labels.ts'

const job = (parts: Partial<LedgerJob>): LedgerJob => ({
  id: '0a3c3a52-8d4c-4a7e-9b0e-0d4a3f9b6a11',
  name: 'match-lead',
  purpose: 'nearest',
  generation: 1,
  recipient: null,
  state: 'done',
  attempts: 1,
  next_attempt_at: '2026-11-20T12:00:00.000Z',
  last_error: null,
  last_cause: null,
  last_detail: null,
  result: null,
  created_at: '2026-11-20T12:00:00.000Z',
  enqueued_at: null,
  finished_at: null,
  attempt_log: [],
  advice: null,
  has_copy: false,
  ...parts,
})

const match = (parts: Partial<Lead>) => matchSentence(parts as Lead)

it('has plain words for every purpose of every job', () => {
  for (const name of DeliveryName.options) {
    for (const purpose of JOBS[name].purposes) {
      expect(jobLabel(job({ name, purpose }))).not.toContain(name)
    }
  }
})

it('tells a first wait from a retry', () => {
  expect(jobState(job({ state: 'waiting', attempts: 0 })).label).toBe('Waiting')
  expect(jobState(job({ state: 'waiting', attempts: 3 })).label).toBe('Trying again')
})

describe('the note of a matching', () => {
  it.each([
    [{ providerId: null, nearestMiles: 212.44 }, 'No clinic within reach: the nearest one is 212.4 miles away.'],
    [{ providerId: null, nearestMiles: null }, 'No clinic within reach.'],
    [{ providerId: 3, kind: 'nearest', miles: 4 }, undefined],
    [null, undefined],
  ])('%j → %j', (result, note) => expect(jobNote(job({ result }))).toBe(note))
})

it('tells that the team was asked to look at a held lead', () => {
  const mail = { name: 'send-email', purpose: 'team', result: { response: '250 OK', heldReason: 'honeypot' } } as const
  expect(jobNote(job(mail))).toBe('Asked to review the held lead.')
  expect(jobNote(job(mail), 'application')).toBe('Asked to review the held application.')
  expect(jobNote(job({ ...mail, result: { response: '250 OK' } }))).toBeUndefined()
  expect(jobNote(job({ ...mail, state: 'waiting', result: null }))).toBeUndefined()
})

describe('an e-mail that was left to a summary', () => {
  const left = (result: object) =>
    jobNote(job({ name: 'send-email', purpose: 'team', state: 'done', result: { summary: 'hourly', ...result } }))
  it('says so, held or not', () => {
    const words = 'No e-mail of its own: left to the hourly summary to the team, which names this lead.'
    expect(left({})).toBe(words)
    expect(left({ heldReason: 'too_fast' })).toBe(words)
  })
})

describe('how a lead was matched', () => {
  it.each([
    [{ provider_id: null, match_kind: null, match_distance_miles: null }, 'No clinic yet'],
    [
      { provider_id: 1, match_kind: 'nearest', match_distance_miles: 12.43 },
      'Nearest clinic that can take it, 12.4 miles away',
    ],
    [{ provider_id: 1, match_kind: 'chosen', match_distance_miles: null }, 'The visitor chose this clinic'],
    [{ provider_id: 1, match_kind: 'staff', match_distance_miles: 0.5 }, 'Matched by staff, 0.5 miles away'],
    [
      { provider_id: 1, match_kind: 'again', match_distance_miles: 3.4, repeat_of: 41 },
      'Asked again, so matched with the clinic of request #41, 3.4 miles away',
    ],
  ] as const)('%j → %j', (lead, sentence) => expect(match(lead)).toBe(sentence))
})

it.each([
  [{ number: 1, total: 1 }, null, null],
  [{ number: 2, total: 2 }, '2nd request of 2', 'Asked twice'],
  [{ number: 11, total: 21 }, '11th request of 21', 'Asked 21 times'],
  [{ number: 40, total: 100 }, 'One of 100 requests or more', 'Asked 100 times or more'],
])('counts the requests of a person: %j', (requests, inPanel, inList) => {
  expect([requestWords(requests), askedWords(requests)]).toEqual([inPanel, inList])
})
