import fc from 'fast-check'
import { createElement } from 'react'
import { describe, expect, it } from 'vitest'
import type { Lead } from '../../core/leads/contract/leads.ts'
import { provider as toClinic } from '../../worker/emails/provider.tsx'
import { render, renderWithReact, slotted } from '../../worker/emails/render.tsx'
import { aboutLead, env, provider } from '../../worker/emails/sample-people.ts'
import { new_clinic, visitor } from '../../worker/emails/visitor.tsx'

/** Texts that escaping, collapsing and markers could get wrong. */
const NASTY = [
  ...['"', "'", '&', '<', '>', '&amp;', '&#x27;', '&nbsp', '</span>', '<br/>', '<!--', ']]>', '<style>', '$&', '$1'],
  ...' |  |\t|\n|\r\n|\f|\v|\0|\u00a0|\u2028|\u3000|\ufeff|\u200b|\u200d|\u202e|\u2066|\u2069|\u0301'.split('|'),
  ...'\ud800|\udc00|👩‍👩‍👧|יעל|A|Zoë|O’Brien|-|.|0|7|undefined|null|mailto:|tel:|http://|javascript:alert(1)'.split(
    '|',
  ),
  ...['{{x}}', '\ue000', '\ue0000\ue001', '\ue0001\ue001', '\ue001', '#', '/', 'a.example', '%40', '@'],
]
const text = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('Jordan', 'Avery', 'Lamar Men’s Health', 'Dr. Rosa Quill', "O'Brien & Sons"),
  },
  { weight: 3, arbitrary: fc.array(fc.constantFrom(...NASTY), { maxLength: 6 }).map((pieces) => pieces.join('')) },
  // Between two letters nearly everything can be filled in.
  { weight: 3, arbitrary: fc.array(fc.constantFrom(...NASTY), { maxLength: 6 }).map((all) => `x${all.join('')}y`) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom(...NASTY).map((piece) => piece.repeat(500).slice(0, 500)) },
)
const maybe = fc.option(text)
const oneOf = (...texts: string[]) => fc.oneof(text, fc.constantFrom(...texts))
const phone = oneOf('(512) 555-0142', ' +972 50 555 0117', '512\n555 0142 ext <4>', '\u202e512 555 0142', '+1', '')
const website = oneOf('https://lamar.example', 'lamar.example', 'HTTPS://LAMAR.example/?a=1&b="2"', 'http://[::1]/', '')
const url = oneOf('http://localhost:3000/do-not-contact?t=a&b', '#top', 'tel:911', 'mailto:a@b.c').map((rest) =>
  /^[a-z]+:|^#/.test(rest) ? rest : `https://leads.example/stop?t=${rest}`,
)
const addresses = oneOf('a@b.example', "o'brien+x&y@b.example", '"a b"@b.example')
/** `mailto:` addresses of lone surrogates do not exist. */
const email = addresses.filter((typed) => !/\p{Surrogate}/u.test(typed))
const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
const clinic = fc
  .record({
    ...{
      name: text,
      practiceName: maybe,
      address: maybe,
      zipCode: text,
      phone: fc.option(phone),
      website: fc.option(website),
    },
    image_url: fc.constantFrom(null, '/demo/clinic-1.svg'),
  })
  .chain((fields) =>
    fc.boolean().map((accepts_free_consultation) => ({ ...provider, ...fields, accepts_free_consultation })),
  )
const lead: fc.Arbitrary<Lead> = fc
  .record({
    id: fc.nat(),
    first_name: text,
    last_name: text,
    email,
    phone,
    zip_code: text,
    acceptance_message: text,
    created_at: moment.map((date) => date.toISOString()),
    match_kind: fc.option(fc.constantFrom('chosen', 'nearest', 'staff', 'again')),
    match_distance_miles: fc.option(fc.double({ min: 0, max: 3000, noNaN: true })),
    held_reason: fc.option(fc.constantFrom('too_fast', 'do_not_contact', 'honeypot')),
  })
  .map((fields) => ({ ...aboutLead().lead, ...fields }))
const context = fc.record({
  lead,
  provider: clinic,
  previous: clinic,
  nearest: fc.constant([]),
  optOutUrl: url,
  requestUrl: url,
  earlier: fc.option(fc.record({ id: fc.nat(), created_at: moment.map((date) => date.toISOString()) })),
  formerPhone: fc.option(phone),
  callBy: fc.option(moment.map((date) => date.toISOString())),
  calling: fc.option(fc.record({ isAllowed: fc.boolean(), from: moment.map(Number), fromInWords: text, words: text })),
  timeZone: fc.constantFrom('America/Chicago', 'Pacific/Honolulu'),
  env: fc.constant(env),
})

describe.each([toClinic, visitor, new_clinic])('the email $purpose', ({ draft }) => {
  it('filled into its slots is what React renders', () => {
    const compare = (any: object) => {
      const { body } = draft(any as never)
      expect(render(body)).toEqual(renderWithReact(body))
    }
    fc.assert(fc.property(context, compare), { numRuns: 100 })
  })
})

it('renders a template once for each set of slots, and fills it', () => {
  let rendered = 0
  const Hello = slotted(({ name, place }: { name: string; place: string | null }) => {
    rendered += 1
    return createElement('p', null, 'Hello ', name, place && ` of ${place}`)
  })
  const hello = (name: string, place: string | null = null) => render(createElement(Hello, { name, place }))
  expect([hello('Ada').text, hello('Zoë & Co').text]).toEqual(['Hello Ada', 'Hello Zoë & Co'])
  expect(rendered).toBe(1)
  expect(hello('Zoë & Co').html).toContain('<p>Hello Zoë &amp; Co</p>')
  expect(hello('Ada', 'Austin').text).toBe('Hello Ada of Austin')
  expect(rendered).toBe(2)
})
