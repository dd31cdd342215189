import { describe, expect, it } from 'vitest'
import type { Lead } from '../../core/contract/leads.ts'
import type { Obstacle } from '../../core/contract/provider-rules.ts'
import { skippedSentence } from '../../web/dashboard/leads/sentences.ts'

const full: Obstacle = { reason: 'full', period: 'day', used: 10, cap: 10 }
const paused: Obstacle = { reason: 'paused', until: `${new Date().getFullYear()}-12-01T05:00:00.000Z` }
const skipped = (name: string, obstacle: Obstacle, isChosen = false) => ({ id: 1, name, miles: 3, isChosen, obstacle })
const sentence = (match_skipped: Lead['match_skipped'], parts: Partial<Lead> = {}, waits = false) => {
  const lead = {
    provider_id: 2,
    matched_at: new Date().toISOString(),
    match_distance_miles: 12,
    match_skipped,
    ...parts,
  }
  return skippedSentence(lead as Lead, { clinic: 'Granite', waits })
}

describe('the sentence about skipped clinics', () => {
  it('says who was nearer, why it was skipped, and who came next', () => {
    expect(sentence([skipped('Bluebonnet', full)])).toBe(
      'Nearest, Bluebonnet, was full: 10 of 10 today; next, Granite, 12 miles',
    )
    expect(sentence([skipped('Bluebonnet', full), skipped('Cedar', paused)])).toBe(
      'Nearest, Bluebonnet, was full: 10 of 10 today; then Cedar, which was paused until Dec 1; next, Granite, 12 miles',
    )
    expect(sentence([skipped('Bluebonnet', full)], { matched_at: '2026-01-01T00:00:00Z' })).toContain(
      '10 of 10 that day',
    )
  })

  it('says that the visitor chose another clinic', () => {
    expect(sentence([skipped('Bluebonnet', { reason: 'excluded' }, true)])).toBe(
      'The visitor chose Bluebonnet, which excludes the zip code; next, Granite, 12 miles',
    )
  })

  it('says where a lead without a clinic waits, or that none could take it', () => {
    const nobody = { provider_id: null, matched_at: null, match_distance_miles: null }
    const all = [skipped('Bluebonnet', full), skipped('Cedar', { reason: 'too_far', radiusMiles: 20 })]
    expect(sentence(all, nobody, true)).toBe('Waits for room at Bluebonnet (10 of 10 today)')
    expect(sentence(all, nobody)).toBe(
      'No clinic in reach could take it: Bluebonnet (10 of 10 today), Cedar (takes leads within 20 miles)',
    )
  })

  it('is empty when none was skipped', () => expect(sentence(null)).toBe(''))
})
