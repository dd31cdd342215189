import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ZipReach } from '../../core/contract/places.ts'
import { telUrl } from '../../core/contract/texts.ts'
import { DeliveryName, jobLabel, type LedgerJob } from '../../core/deliveries/contract/jobs.ts'
import { JOBS } from '../../core/deliveries/jobs.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import type { Obstacle } from '../../core/providers/contract/provider-rules.ts'
import { deviceName } from '../../core/staff/contract/session.ts'
import { createSearch } from '../../web/dashboard/address.ts'
import { jobNote, jobState } from '../../web/dashboard/job-labels.tsx'
import { askedWords, matchSentence, requestWords, skippedSentence } from '../../web/dashboard/leads/use-lead-action.ts'
import * as sync from '../../web/dashboard/sync/words.ts'
import * as dates from '../../web/lib/dates.ts'
import { countOf, formatBytes, formatCount, formatDuration, formatShare } from '../../web/lib/numbers.ts'
import { fiveDigits, parseId, websiteUrl } from '../../web/lib/texts.ts'
import { reachInWords } from '../../web/site/lead-form/zip-answer.tsx'
import { provider, job as sampleJob } from '../components/samples.ts'
import { type SyncRunOverrides, syncRun } from '../components/sync-samples.ts'

/** Checks what a function makes of each value. */
function makes<Input, Output>(of: (input: Input) => Output, ...pairs: [Input, Output][]): void {
  for (const [input, output] of pairs) expect.soft(of(input), JSON.stringify(input)).toEqual(output)
}

it('counts, shares, durations and sizes are short, and a share is never all or nothing when it is not', () => {
  expect(formatCount(1234567)).toBe('1,234,567')
  expect([countOf(1, 'lead'), countOf(0, 'lead')]).toEqual(['1 lead', '0 leads'])
  makes(formatShare, [0, '0%'], [0.5, '50%'], [0.8333, '83.3%'], [1, '100%'], [0.99999, '99.9%'], [0.00001, '0.1%'])
  makes(formatDuration, [0, '0 ms'], [840, '840 ms'], [4230, '4.2 s'], [210_000, '3.5 min'])
  makes(formatDuration, [5 * 3_600_000, '5 h'], [24 * 3_600_000, '1 day'], [50 * 3_600_000, '2.1 days'])
  makes(formatBytes, [0, '0 KB'], [1536, '1.5 KB'], [831_488, '812 KB'], [1.4 * 1024 ** 3, '1.4 GB'])
})

it('a zip code of nine digits becomes one of five, and what is none stays as it is', () => {
  makes(fiveDigits, [' 90210-1234 ', '90210'], ['902101234', '90210'], ['90210 1234', '90210'], [' 90210\n', '90210'])
  makes(fiveDigits, ['9021', '9021'], ['902101', '902101'], ['K1A 0B1', 'K1A 0B1'], ['', ''])
})

it('an id, a website and a phone number are taken from what was written only where they are ones', () => {
  makes(parseId, ['12', 12])
  for (const text of ['0', '-1', '1.5', '1e3', 'abc', '', null])
    expect.soft(parseId(text), String(text)).toBeUndefined()
  makes(websiteUrl, ['clinic.example', 'https://clinic.example'], ['http://clinic.example', 'http://clinic.example'])
  makes(websiteUrl, ['javascript:alert(1)', 'https://javascript:alert(1)'])
  makes(telUrl, ['(202) 555-0142', 'tel:+12025550142'], ['+1 202 555 0142', 'tel:+12025550142'])
})

it('a browser is named by its kind and its system', () => {
  const chromium = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0'
  makes(deviceName, [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chromium} Safari/537.36`, 'Chrome on Windows'])
  makes(deviceName, [`Mozilla/5.0 (Windows NT 10.0) ${chromium} Safari/537.36 Edg/141.0.0.0`, 'Edge on Windows'])
  makes(deviceName, [`Mozilla/5.0 (Linux; Android 15) ${chromium} Mobile Safari/537.36`, 'Chrome on Android'])
  makes(deviceName, ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 'Safari on macOS'])
  makes(deviceName, ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1', 'Safari on iPhone'])
  makes(deviceName, ['Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox on Linux'])
  makes(deviceName, ['curl/8.5.0', 'Unknown browser'], [null, 'Unknown browser'])
})

it('what a zip code comes to is said of the nearest clinic, or of the clinic of the page', () => {
  const place = { city: 'San Antonio', state: 'TX', latitude: 29.42, longitude: -98.49 }
  const austin: ZipReach = {
    ...{
      zip: '78702',
      city: 'Austin',
      state: 'TX',
      inReach: true,
      miles: 71,
      clinicPlace: place,
      noneWithinMiles: null,
    },
  }
  const nobody = { inReach: false, miles: null, clinicPlace: null }
  const nearest = (change: Partial<ZipReach>) => reachInWords({ ...austin, ...change }, false)
  makes(nearest, [{}, 'Yes. About 71 miles from you, in San Antonio, TX.'])
  makes(nearest, [{ miles: 0 }, 'Yes. Less than a mile from you, in San Antonio, TX.'])
  makes(nearest, [{ miles: null }, 'Yes. There’s a certified clinic near you.'])
  makes(nearest, [{ clinicPlace: null }, 'Yes. About 71 miles from you.'])
  const then = 'Leave your details, and we’ll keep looking.'
  makes(nearest, [{ ...nobody, noneWithinMiles: 1500 }, `No clinic within 1,500 miles of Austin, TX yet. ${then}`])
  makes(nearest, [nobody, `No clinic near Austin, TX is taking new requests right now. ${then}`])
  makes(nearest, [{ ...nobody, city: null }, `No clinic near you is taking new requests right now. ${then}`])
  const own = (change: Partial<ZipReach>) => reachInWords({ ...austin, ...change }, true)
  makes(own, [{}, 'Yes. This clinic is about 71 miles from you.'], [nobody, ''])
  expect(reachInWords(null, true)).toBe('We don’t recognize this zip code. Please check it.')
  expect(reachInWords(undefined, false)).toBe('')
})

describe('times', () => {
  afterEach(() => {
    vi.useRealTimers()
    dates.setTimeZone('America/New_York')
  })
  const at = (now: string) => vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) })

  it('are shown by the clock of the network', () => {
    for (const [zone, day, moment, name] of [
      ['America/New_York', 'Nov 14, 2026', 'Nov 14, 2026, 11:30:00 PM ET', 'Eastern Time'],
      ['Pacific/Honolulu', 'Nov 14, 2026', 'Nov 14, 2026, 6:30:00 PM HST', 'Hawaii-Aleutian Standard Time'],
      ['America/Halifax', 'Nov 15, 2026', 'Nov 15, 2026, 12:30:00 AM AT', 'Atlantic Time'],
    ] as const) {
      dates.setTimeZone(zone)
      const time = '2026-11-15T04:30:00.000Z'
      expect([dates.formatDay(time), dates.formatMoment(time), dates.timeZoneName()]).toEqual([day, moment, name])
    }
    expect(dates.formatDay(null)).toBe('-')
  })

  it('of the next hours have their day where that is another one', () => {
    at('2026-11-15T04:30:00Z')
    makes(dates.formatSoon, ['2026-11-15T04:45:00Z', '11:45 PM ET'], ['2026-11-15T05:15:00Z', 'Nov 15, 12:15 AM ET'])
  })

  it('are a full hour of today or of a later day, also over a change of the clock, or what was typed', () => {
    // Sunday, 12:30 AM in New York: the clock goes back at two.
    at('2026-11-01T04:30:00Z')
    expect(dates.hourOfDay(0, 17)).toBe('2026-11-01T22:00:00.000Z')
    expect(dates.hourOfDay(1, 8)).toBe('2026-11-02T13:00:00.000Z')
    dates.setTimeZone('America/Los_Angeles')
    expect(dates.hourOfDay(0, 17)).toBe('2026-11-01T00:00:00.000Z')
    makes(dates.momentOfInput, ['2026-11-20T09:05', '2026-11-20T17:05:00.000Z'], ['', ''])
  })

  it('end today, also at eleven in the evening in Honolulu, and count days of 23 and of 25 hours as one', () => {
    const period = (now: string) => {
      at(now)
      return [dates.lastDays(1).to, dates.yesterday().from, dates.lastDays(30).from]
    }
    makes(period, ['2026-03-09T03:30:00Z', ['2026-03-08', '2026-03-07', '2026-02-07']])
    makes(period, ['2026-11-02T04:30:00Z', ['2026-11-01', '2026-10-31', '2026-10-03']])
    dates.setTimeZone('Pacific/Honolulu')
    makes(period, ['2026-11-15T09:00:00Z', ['2026-11-14', '2026-11-13', '2026-10-16']])
  })
})

describe('deliveries', () => {
  const job = (parts: Partial<LedgerJob>) => sampleJob({ name: 'match-lead', purpose: 'nearest', ...parts })

  it('have plain words for every purpose of every job', () => {
    for (const name of DeliveryName.options) {
      for (const purpose of Object.keys(JOBS[name].purposes))
        expect(jobLabel(job({ name, purpose }))).not.toContain(name)
    }
  })

  it('tell a first wait from a retry', () => {
    expect(jobState(job({ state: 'waiting', attempts: 0 })).label).toBe('Waiting')
    expect(jobState(job({ state: 'waiting', attempts: 3 })).label).toBe('Trying again')
  })

  it('have a note where a matching found nobody, and where the team has to look or gets a summary', () => {
    const noteOf = (result: LedgerJob['result']) => jobNote(job({ result }))
    makes(noteOf, [{ providerId: null, nearestMiles: null }, 'No provider within reach.'])
    makes(noteOf, [
      { providerId: null, nearestMiles: 212.44 },
      'No provider within reach: the nearest one is 212.4 miles away.',
    ])
    makes(noteOf, [{ providerId: 3, kind: 'nearest', miles: 4 }, undefined], [null, undefined])
    const mail = { name: 'send-email', purpose: 'team' } as const
    const held = job({ ...mail, result: { response: '250 OK', heldReason: 'honeypot' } })
    expect(jobNote(held)).toBe('Asked to review the held lead.')
    expect(jobNote(held, 'application')).toBe('Asked to review the held application.')
    expect(jobNote(job({ ...mail, result: { response: '250 OK' } }))).toBeUndefined()
    const left = job({ ...mail, result: { summary: 'hourly', heldReason: 'too_fast' } })
    expect(jobNote(left)).toMatch(/^No email of its own: left to the hourly summary to the team/)
  })
})

describe('a lead', () => {
  it('says how it was matched', () => {
    const match = (parts: Partial<Lead>) => matchSentence(parts as Lead)
    makes(match, [{ provider_id: null, match_kind: null }, 'No provider yet'])
    makes(match, [{ provider_id: 1, match_kind: 'nearest' }, 'Nearest provider that can take it'])
    makes(match, [{ provider_id: 1, match_kind: 'chosen' }, 'The visitor chose this provider'])
    makes(match, [{ provider_id: 1, match_kind: 'staff' }, 'Matched by staff'])
    const again = 'Asked again, so matched with the provider of request #41'
    makes(match, [{ provider_id: 1, match_kind: 'again', repeat_of: 41 }, again])
  })

  it('counts the requests of its person', () => {
    const words = (requests: { number: number; total: number }) => [requestWords(requests), askedWords(requests)]
    makes(
      words,
      [{ number: 1, total: 1 }, [null, null]],
      [{ number: 2, total: 2 }, ['2nd request of 2', 'Asked twice']],
    )
    makes(words, [{ number: 11, total: 21 }, ['11th request of 21', 'Asked 21 times']])
    makes(words, [{ number: 40, total: 100 }, ['One of 100 requests or more', 'Asked 100 times or more']])
  })

  it('says which nearer providers were skipped and why, and who came next', () => {
    const full: Obstacle = { reason: 'full', period: 'day', used: 10, cap: 10 }
    const paused: Obstacle = { reason: 'paused', until: `${new Date().getFullYear()}-12-01T05:00:00.000Z` }
    const skipped = (name: string, obstacle: Obstacle, isChosen = false) => ({
      id: 1,
      name,
      miles: 3,
      isChosen,
      obstacle,
    })
    const sentence = (match_skipped: Lead['match_skipped'], parts: Partial<Lead> = {}) => {
      const matched = { provider_id: 2, matched_at: new Date().toISOString(), match_distance_miles: 12 }
      return skippedSentence({ ...matched, match_skipped, ...parts } as Lead, 'Granite')
    }
    const both = [skipped('Bluebonnet', full), skipped('Cedar', paused)]
    expect(sentence(both)).toBe(
      'Nearest, Bluebonnet, was full: 10 of 10 today; then Cedar, which was paused until Dec 1; next, Granite, 12 miles',
    )
    expect(sentence(both, { matched_at: '2026-01-01T00:00:00Z' })).toContain('10 of 10 that day')
    expect(sentence([skipped('Bluebonnet', { reason: 'excluded' }, true)])).toBe(
      'The visitor chose Bluebonnet, which excludes the zip code; next, Granite, 12 miles',
    )
    const nobody = { provider_id: null, matched_at: null, match_distance_miles: null }
    const all = [skipped('Bluebonnet', full), skipped('Cedar', { reason: 'too_far', radiusMiles: 20 })]
    expect(sentence(all, nobody)).toBe(
      'No provider in reach could take it: Bluebonnet (10 of 10 today), Cedar (takes leads within 20 miles)',
    )
    expect(sentence(null)).toBe('')
  })
})

describe('a run of the sync', () => {
  /** A run that has ended, and has seen a quarter of the pages. */
  const run = ({ id = 7, ...overrides }: SyncRunOverrides = {}) =>
    syncRun(id, { pages_done: 3, pages_total: 12, ...overrides })

  it('says how far it is', () => {
    const running = run({ state: 'running' })
    makes(sync.progressOf, [run({ state: 'waiting' }), 'Waiting for a worker'], [running, 'Page 3 of 12'])
    makes(sync.progressOf, [run({ state: 'running', pages_total: null }), 'Contacting WordPress'])
    makes(sync.spokenProgressOf, [run({ state: 'waiting' }), 'Sync under way'], [running, 'Sync under way: 25%'])
    const labelOf = (of: Parameters<typeof sync.stateOf>[0]) => sync.stateOf(of).label
    makes(labelOf, [run({ dry_run: true }), 'Dry run'], [run({ state: 'failed', dry_run: true }), 'Failed'])
    makes(labelOf, [run({ state: 'needs_approval', can_be_approved: true }), 'Needs approval'])
    makes(labelOf, [run({ state: 'needs_approval' }), 'Not applied'])
  })
})

it('the search finds all words in any order, case and field, without accents', () => {
  const quill = provider(1, { name: 'Dr. Rosa Quill', email: 'desk@quill.example' })
  const nunez = provider(2, { name: 'Dr. José Núñez', practiceName: 'Harbor', zipCode: '60601', email: 'n@x.example' })
  const search = createSearch([quill, nunez], (each) => [each.name, each.practiceName, each.zipCode, each.email])
  makes(search, ['nunez JOSE', [nunez]], ['harbor', [nunez]], ['60601', [nunez]], ['desk@quill', [quill]])
  makes(search, ['rosa 787', [quill]], ['dr.', [quill, nunez]], ['  ', [quill, nunez]], ['rosa harbor', []])
})
