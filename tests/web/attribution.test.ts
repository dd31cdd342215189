import { describe, expect, it } from 'vitest'
import { touchOf } from '../../web/site/attribution.ts'

const at = (address: string) => new URL(address, 'https://www.leadwell.example')

describe('a visit', () => {
  it('tells where it came from and which campaign led to it', () => {
    const page = at('/start?utm_source=news&utm_medium=email&gclid=abc&providerId=7&email=jo@x.example')
    expect(touchOf(page, 'https://search.example/find?q=secret')).toEqual({
      landing_page: 'https://www.leadwell.example/start',
      referrer: 'https://search.example/find',
      utm_source: 'news',
      utm_medium: 'email',
      gclid: 'abc',
    })
  })

  it('counts when it comes from nowhere', () => {
    expect(touchOf(at('/'), '')).toEqual({ landing_page: 'https://www.leadwell.example/' })
  })

  it('is none when the visitor only goes on to another page', () => {
    expect(touchOf(at('/terms'), 'https://www.leadwell.example/')).toBeNull()
  })

  it('counts when a campaign leads from our own site', () => {
    expect(touchOf(at('/?utm_campaign=spring'), 'https://www.leadwell.example/')).toEqual({
      landing_page: 'https://www.leadwell.example/',
      utm_campaign: 'spring',
    })
  })

  it('keeps no more than the contract takes', () => {
    const touch = touchOf(at(`/${'a'.repeat(600)}?utm_term=${'b'.repeat(300)}`), 'not an address')
    expect(touch?.landing_page).toHaveLength(500)
    expect(touch?.utm_term).toHaveLength(200)
    expect(touch).not.toHaveProperty('referrer')
  })
})
