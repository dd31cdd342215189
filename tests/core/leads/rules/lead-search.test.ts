import { describe, expect, it } from 'vitest'
import { emailsQuery, personQuery, searchTerms } from '../../../../core/leads/rules/search.ts'

/** What a lead's own words must have to match all parts of a search. */
const leadQuery = (search: string) =>
  searchTerms(search)
    .flatMap(({ lead }) => lead ?? [])
    .join(' & ') || null

describe('the words of a lead', () => {
  it.each([
    ['avery', `'avery':*`],
    ['Jordan AVERY', `'jordan':* & 'avery':*`],
    ['Zoë', `'zoe':*`],
    ['李明华', `'李明华':*`],
    ['smith-jones', `('smith-jones':* | ('smith':* & 'jones':*))`],
    ["o'brien", `('o''brien':* | ('obrien':*))`],
    ['jordan.avery@visitors.example', `'jordan.avery@visitors.example':*`],
    ["o'brien@visitors.example", `'o''brien@visitors.example':*`],
  ])('looks for the start of each word, without case and accents: %s', (search, query) => {
    expect(leadQuery(search)).toBe(query)
  })

  it.each([
    ['ke', `'ke':*`],
    ['j smith', `'j':* & 'smith':*`],
    ['李', `'李':*`],
    ['51', `'51':*`],
  ])('looks for the start of a word by one or two characters as well: %s', (search, query) => {
    expect(leadQuery(search)).toBe(query)
  })

  it.each([['5125550142'], ['(512) 555-0142'], ['512.555.0142'], ['+1 512 555 0142'], ['1-512-555-0142']])(
    'knows a phone however it is typed: %s',
    (search) => {
      expect(leadQuery(search)).toBe(`'5125550142':*`)
    },
  )

  it.each([
    ['512 555 0142 / 512 555 0199', `'5125550142':* | '5125550199':* | '51255501425125550199':*`],
    ['001 512 555 0142', `'5125550142':*`],
    ['Tel. 512-555-0142 or 512-555-0199', `'5125550142':* | '5125550199':*`],
    ['home 512-555-0142', `'5125550142':*`],
    ['avery 5125550142', `'avery':* & '5125550142':*`],
    ['李 5125550142', `'李':* & '5125550142':*`],
  ])('knows the phones in a search that has little else: %s', (search, query) => {
    expect(leadQuery(search)).toBe(query)
  })

  it('knows the parts of a phone', () => {
    expect(leadQuery('555-0142')).toBe(`'5550142':*`)
    expect(leadQuery('avery (512)')).toBe(`'avery':* & ('(512)':* | ('512':*))`)
  })

  it('takes a number for a US phone only when it is as long as one', () => {
    expect(leadQuery('151255501423')).toBe(`'151255501423':*`)
    expect(leadQuery('215125550142')).toBe(`'215125550142':*`)
    expect(leadQuery('1512555014')).toBe(`'1512555014':*`)
  })

  it('takes a number beside a name for a zip', () => {
    expect(leadQuery('78701 avery')).toBe(`'78701':* & 'avery':*`)
    expect(leadQuery('avery 78701')).toBe(`'avery':* & '78701':*`)
  })

  it('quotes a backslash, which PostgreSQL takes for an escape', () => {
    expect(leadQuery('a\\b')).toBe(`('a\\\\b':* | ('a':* & 'b':*))`)
  })

  it.each(['-', '...', '( )', '!!', '"', '&'])('finds nothing by punctuation alone: %s', (search) => {
    expect(leadQuery(search)).toBeNull()
  })

  it.each([[`a\\b' | 'c`], ["'"], [`x:*`], ['!avery'], ['<->'], ['＇ or ＇']])(
    'leaves no operator of the search language in: %s',
    (search) => {
      const query = leadQuery(search) ?? ''
      // Without what is quoted, only ours are left.
      expect(query.replace(/'(?:[^'\\]|''|\\\\)*'/g, '')).toMatch(/^(?:[ ()&|]|:\*)*$/)
    },
  )
})

it('emailsQuery finds the leads with any of these emails, and no others that begin alike', () => {
  expect(emailsQuery(['jordan@visitors.example'])).toBe(`'jordan@visitors.example'`)
  expect(emailsQuery(["o'brien@visitors.example", 'b@visitors.example'])).toBe(
    `'o''brien@visitors.example' | 'b@visitors.example'`,
  )
})

it('personQuery finds the leads with this email or phone, however they are typed', () => {
  const query = personQuery({ email: ' Jordan@Visitors.example', phone: '(512) 555-0142' })
  expect(query).toBe(`'jordan@visitors.example' | '5125550142'`)
  expect(personQuery({})).toBe('')
})

describe('searchTerms', () => {
  const NOTHING = { lead: null, clinic: null, place: null, number: null }

  it('takes a word for the start of a word of the lead, of its clinic or of its place', () => {
    expect(searchTerms('Great FALLS')).toEqual([
      { lead: `'great':*`, clinic: `'great':*`, place: `'great':*`, number: null },
      { lead: `'falls':*`, clinic: `'falls':*`, place: `'falls':*`, number: null },
    ])
    expect(searchTerms('falls')).toEqual([{ ...NOTHING, lead: `'falls':*`, clinic: `'falls':*`, place: `'falls':*` }])
    expect(searchTerms('smith-jones')[0]).toMatchObject({ clinic: `'smith':* & 'jones':*` })
  })

  it('takes one or two letters alone for a name, unless they are a state in capital letters', () => {
    expect(searchTerms(' Tx ')).toEqual([{ ...NOTHING, lead: `'tx':*` }])
    expect(searchTerms('tx')).toEqual([{ ...NOTHING, lead: `'tx':*` }])
    expect(searchTerms('TX')).toEqual([{ ...NOTHING, lead: `'tx':*`, clinic: `'tx'`, place: `'tx'` }])
    expect(searchTerms('avery tx')[1]).toEqual({ ...NOTHING, lead: `'tx':*`, clinic: `'tx'`, place: `'tx'` })
  })

  it('knows how places are abbreviated', () => {
    expect(searchTerms('st. louis')[0]).toMatchObject({ clinic: `'st'`, place: `('st' | 'saint')` })
    expect(searchTerms('ft. worth')[0]?.place).toBe(`('ft' | 'fort')`)
    expect(searchTerms('mt. vernon')[0]?.place).toBe(`('mt' | 'mount')`)
    expect(searchTerms('great falls mt')[2]?.place).toBe(`'mt'`)
  })

  it('takes a number for that of a lead as well, and one with a number sign for nothing else', () => {
    expect(searchTerms('432')).toEqual([{ ...NOTHING, lead: `'432':*`, number: 432 }])
    expect(searchTerms('avery 432')[1]).toEqual({ ...NOTHING, lead: `'432':*`, number: 432 })
    expect(searchTerms('#12')).toEqual([{ ...NOTHING, number: 12 }])
    for (const search of ['a#7', '#7a', '7a avery']) expect(searchTerms(search)[0]?.number).toBeNull()
    expect(searchTerms('(512) 555-0142')).toEqual([{ ...NOTHING, lead: `'5125550142':*` }])
  })

  it('leaves out what is only punctuation', () => {
    expect(searchTerms('-')).toEqual([])
    expect(searchTerms('avery !!')).toHaveLength(1)
  })

  it.each(['-', '( )', '#', '#x'])('looks for no number and no name in %s', (search) => {
    expect(searchTerms(search).every(({ number, place }) => number === null && place !== '')).toBe(true)
  })
})
