import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readAttribution, recordVisit, touchOf } from '../../web/site/attribution.ts'

const at = (address: string) => new URL(address, 'https://www.leadwell.example')

describe('a visit', () => {
  it('tells where it came from and which campaign led to it', () => {
    const page = at('/start?utm_source=news&utm_medium=email&gclid=abc&providerId=7&email=jo@x.example')
    expect(touchOf(page, 'https://search.example/find?q=secret')).toEqual({
      landing_page: 'https://www.leadwell.example/start',
      referrer: 'https://search.example/find',
      utm_source: 'news',
      utm_medium: 'email',
      network: 'google',
    })
  })

  it('is none when the visitor only goes on to another page', () => {
    expect(touchOf(at('/terms'), 'https://www.leadwell.example/')).toBeNull()
  })

  it('keeps no more than the contract takes', () => {
    const touch = touchOf(at(`/${'a'.repeat(600)}?utm_term=${'b'.repeat(300)}`), 'not an address')
    expect(touch?.landing_page).toHaveLength(500)
    expect(touch?.utm_term).toHaveLength(200)
    expect(touch).not.toHaveProperty('referrer')
  })
})

it.each([
  ['gclid', 'google'],
  ['gbraid', 'google'],
  ['wbraid', 'google'],
  ['msclkid', 'microsoft'],
  ['fbclid', 'facebook'],
])('a click on an ad is kept as its network, never with its id: %s', (parameter, network) => {
  expect(touchOf(at(`/start?${parameter}=SECRET-id`), 'https://www.leadwell.example/')).toEqual({
    landing_page: 'https://www.leadwell.example/start',
    network,
  })
})

describe('what the browser keeps', () => {
  const LANDING = 'https://www.leadwell.example/start'
  let kept: Map<string, string>
  beforeEach(() => {
    kept = new Map()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    })
    vi.stubGlobal('navigator', { doNotTrack: 'unspecified' })
    vi.stubGlobal('document', { querySelector: () => null, referrer: '' })
    vi.stubGlobal('window', { location: { href: `${LANDING}?gclid=SECRET-id&utm_campaign=fall` } })
  })
  afterEach(() => vi.unstubAllGlobals())

  it('is the origin without the id of a click', () => {
    recordVisit()
    const touch = { landing_page: LANDING, utm_campaign: 'fall', network: 'google' }
    expect(readAttribution()).toEqual({ first: touch, last: touch })
    expect([...kept.values()].join()).not.toContain('SECRET')
  })

  it('loses the ids that earlier releases have stored', () => {
    vi.stubGlobal('window', { location: { href: LANDING } })
    kept.set(
      'attribution',
      JSON.stringify({ first: { gclid: 'SECRET-1' }, last: { utm_source: 'x', fbclid: 'SECRET-2' } }),
    )
    recordVisit()
    expect(readAttribution()).toEqual({ first: { network: 'google' }, last: { utm_source: 'x', network: 'facebook' } })
    expect([...kept.values()].join()).not.toContain('SECRET')
  })

  it.each([{ doNotTrack: '1' }, { globalPrivacyControl: true }])(
    'is nothing where the browser asks not to be measured, nor what was kept before: %j',
    (signals) => {
      recordVisit()
      vi.stubGlobal('navigator', signals)
      expect(readAttribution()).toBeUndefined()
      recordVisit()
      expect(kept.size).toBe(0)
    },
  )
})
