import { describe, expect, it } from 'vitest'
import type { ZipReach } from '../../core/contract/zip-codes.ts'
import { reachInWords } from '../../web/site/lead-form/zip-reach.ts'

const AUSTIN: ZipReach = {
  ...{ zip: '78702', city: 'Austin', state: 'TX' },
  ...{ inReach: true, miles: 12, noneWithinMiles: null },
}
const NOBODY = { inReach: false, miles: null }

describe('what a zip code comes to, in words', () => {
  it.each([
    [{}, 'Austin, TX · certified clinic about 12 miles away'],
    [{ miles: 1 }, 'Austin, TX · certified clinic about 1 mile away'],
    [{ miles: 0 }, 'Austin, TX · certified clinic less than a mile away'],
    [{ miles: null }, 'Austin, TX · certified clinic near you'],
    [{ city: null, state: null }, 'certified clinic about 12 miles away'],
    [
      { ...NOBODY, noneWithinMiles: 1500 },
      'Austin, TX · No clinic within 1,500 miles yet; leave your details and we keep looking',
    ],
    [NOBODY, 'Austin, TX · No clinic near you takes new requests now; leave your details and we keep looking'],
  ])('is of the nearest clinic: %j', (change, words) => {
    expect(reachInWords({ ...AUSTIN, ...change }, false)).toBe(words)
  })

  it.each([
    [{}, 'Austin, TX · this clinic is about 12 miles away'],
    [{ miles: 0 }, 'Austin, TX · this clinic is less than a mile away'],
    [{ miles: null }, 'Austin, TX'],
    [NOBODY, 'Austin, TX'],
  ])('is of the clinic of the page, or only the place: %j', (change, words) => {
    expect(reachInWords({ ...AUSTIN, ...change }, true)).toBe(words)
  })

  it('asks to check an unknown zip code, and is silent without an answer', () => {
    expect(reachInWords(null, true)).toBe('We do not know this zip code. Please check it.')
    expect(reachInWords(undefined, false)).toBe('')
  })
})
