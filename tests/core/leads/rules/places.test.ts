import { describe, expect, it } from 'vitest'
import { readPlaceSearch } from '../../../../core/leads/rules/places.ts'

const city = (city: string, state?: string) => (state ? { city, state } : { city })

describe('the text of a search for a place', () => {
  it.each([
    { text: '78704', zip: '78704' },
    { text: '787', zip: '787' },
    { text: ' 78704-1234 ', zip: '78704' },
    { text: '787041234', zip: '78704' },
    { text: 'Austin, TX 78704', zip: '78704' },
  ])('is the zip code of $text', ({ text, zip }) => {
    expect(readPlaceSearch(text)).toEqual({ zip, cities: [], states: [] })
  })

  it.each([
    { text: 'Austin', cities: [city('austin')] },
    { text: 'austin tx', cities: [city('austin', 'TX'), city('austin tx')] },
    { text: 'Austin, Texas', cities: [city('austin', 'TX'), city('austin texas')] },
    { text: 'St. Louis, MO', cities: [city('saint louis', 'MO'), city('saint louis mo')] },
    { text: 'Charleston, West Virginia', cities: [city('charleston west', 'VA'), city('charleston', 'WV')] },
    { text: 'O’Fallon', cities: [city('o’fallon')] },
  ])('may be a city: $text', ({ text, cities }) => {
    expect(readPlaceSearch(text).cities).toEqual(expect.arrayContaining(cities))
  })

  it.each([
    { text: 'Texas', codes: ['TX'] },
    { text: 'tx', codes: ['TX'] },
    { text: 'north', codes: ['NC', 'ND'] },
    { text: 'Austin', codes: [] },
  ])('may be a state: $text', ({ text, codes }) => {
    expect(readPlaceSearch(text).states.map(({ code }) => code)).toEqual(codes)
  })

  it.each(['', ' , ', '???', '123456'])('may mean nothing: “%s”', (text) => {
    expect(readPlaceSearch(text)).toEqual({ cities: [], states: [] })
  })
})
