import { describe, expect, it } from 'vitest'
import { readPlaceSearch } from '../../../../core/leads/rules/search.ts'

const byLength = (a: { city: string }, b: { city: string }) => a.city.length - b.city.length
const city = (city: string, state?: string) => (state ? { city, state } : { city })

describe('the text of a search for a place', () => {
  it.each([
    { text: '78704', zip: '78704' },
    { text: '787', zip: '787' },
    { text: ' 78704-1234 ', zip: '78704' },
    { text: '787041234', zip: '78704' },
    { text: '78704-', zip: '78704' },
    { text: '78704-12', zip: '78704' },
    { text: 'Austin, TX 78704', zip: '78704' },
  ])('is the zip code of $text', ({ text, zip }) => {
    expect(readPlaceSearch(text)).toEqual({ zip, cities: [], states: [] })
  })

  it.each([
    { text: 'Austin', cities: [city('austin')] },
    { text: 'austin tx', cities: [city('austin', 'TX'), city('austin tx')] },
    { text: 'Austin, Texas', cities: [city('austin', 'TX'), city('austin texas')] },
    { text: 'St. Louis, MO', cities: [city('saint louis', 'MO'), city('saint louis mo')] },
    {
      text: 'Charleston, West Virginia',
      cities: [city('charleston west', 'VA'), city('charleston', 'WV'), city('charleston west virginia')],
    },
    { text: 'O’Fallon', cities: [city('o’fallon')] },
    { text: 'Ft. Worth', cities: [city('fort worth')] },
    { text: 'mt.vernon', cities: [city('mount vernon')] },
    { text: 'ste genevieve st', cities: [city('sainte genevieve st')] },
    { text: 'Texas', cities: [city('texas')] },
  ])('may be a city: $text', ({ text, cities }) => {
    expect(readPlaceSearch(text).cities.toSorted(byLength)).toEqual(cities.toSorted(byLength))
  })

  it.each([
    { text: 'Texas', codes: ['TX'] },
    { text: 'tx', codes: ['TX'] },
    { text: 'te', codes: [] },
    { text: 'new york', codes: ['NY'] },
    { text: 'north', codes: ['NC', 'ND'] },
    { text: 'Austin', codes: [] },
  ])('may be a state: $text', ({ text, codes }) => {
    expect(readPlaceSearch(text).states.map(({ code }) => code)).toEqual(codes)
  })

  it.each(['', ' , ', '???', '123456', '1 2'])('may mean nothing: “%s”', (text) => {
    expect(readPlaceSearch(text)).toEqual({ cities: [], states: [] })
  })
})
