import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Lead } from '../../core/leads/contract/leads.ts'
import { AnswerKind } from '../../core/leads/contract/outcomes.ts'
import type { Email } from '../../worker/emails/email.ts'
import { DEFINITIONS } from '../../worker/emails/emails.ts'
import { joined, type Rendered, render, renderWithReact } from '../../worker/emails/render.tsx'
import { aboutLead, env, provider } from '../../worker/emails/sample-people.ts'

/** Texts that escaping, collapsing and markers could get wrong. */
const NASTY = [
  ...['"', "'", '&', '<', '>', '&amp;', '&#x27;', '&nbsp', '</span>', '<br/>', '<!--', ']]>', '<style>', '$&', '$1'],
  ...[' ', '  ', '\t', '\n', '\r\n', '\f', '\v', '\0', '\u00a0', '\u2028', '\u3000', '\ufeff', '\u200b', '\u200d'],
  ...[
    '\u202e',
    '\u2066',
    '\u2069',
    '\u0301',
    '\ud800',
    '\udc00',
    '👩‍👩‍👧',
    'יעל',
    'A',
    'Zoë',
    'O’Brien',
    '-',
    '.',
    '0',
    '7',
  ],
  ...['{{x}}', '\ue000', '\ue0000\ue001', '\ue0001\ue001', '\ue001', 'undefined', 'null', 'mailto:', 'tel:', 'http://'],
  ...['javascript:alert(1)', '#', '/', 'a.example', '%40', '@'],
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
const phone = fc.oneof(
  text,
  fc.constantFrom('(512) 555-0142', ' +972 50 555 0117', '512\n555 0142 ext <4>', '\u202e512 555 0142', '+1', ''),
)
const website = fc.oneof(
  maybe,
  fc.constantFrom(
    'https://lamar.example',
    'lamar.example',
    'https://lamar.example/?a=1&b="2"',
    'HTTPS://LAMAR.example/',
  ),
  fc.constantFrom(
    'https://la\u200bmar.example',
    'javascript:alert(1)',
    'http://[::1]/',
    'lamar.example/O\'Brien#"',
    '',
  ),
)
const url = fc.oneof(
  text.map((rest) => `https://leads.example/stop?t=${rest}`),
  fc.constantFrom(
    'http://localhost:3000/do-not-contact?t=a&b',
    'javascript:alert(1)',
    '#top',
    'tel:911',
    'mailto:a@b.c',
  ),
)
/** `mailto:` addresses of lone surrogates do not exist. */
const email = fc.oneof(
  fc.constantFrom('a@b.example', "o'brien+x&y@b.example", '"a b"@b.example'),
  text.filter((typed) => !/\p{Surrogate}/u.test(typed)),
)
const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
const clinic = fc
  .record({
    ...{ name: text, practiceName: maybe, address: maybe, zipCode: text, phone: fc.option(phone), website },
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
  ...{ url, dueAt: moment.map((date) => date.toISOString()), questionUrl: url },
  requestUrl: url,
  answer: fc.record({
    dueAt: fc.option(moment.map((date) => date.toISOString())),
    requestUrl: url,
    secondEmail: email,
    hasArrived: fc.boolean(),
    isUncalled: fc.boolean(),
    clinicSaid: fc.option(fc.constantFrom(...AnswerKind.options)),
  }),
  earlier: fc.option(fc.record({ id: fc.nat(), created_at: moment.map((date) => date.toISOString()) })),
  formerPhone: fc.option(phone),
  callBy: fc.option(moment.map((date) => date.toISOString())),
  calling: fc.option(fc.record({ isAllowed: fc.boolean(), from: moment.map(Number), fromInWords: text, words: text })),
  timeZone: fc.constantFrom('America/Chicago', 'Pacific/Honolulu'),
  env: fc.constant(env),
})

const partsOf = ({ html, text }: Rendered) => ({ html: joined(html), text: joined(text) })
const isFilled = ({ html }: Rendered) => html.values.length > 0

const emails: Record<string, Email<'lead'>> = DEFINITIONS.lead
describe.each([...Object.keys(emails), 'searching'])('the e-mail %s', (purpose) => {
  it('filled into its slots is what React renders', () => {
    let filled = 0
    const compare = (any: object) => {
      const [email, all] = purpose === 'searching' ? ['visitor', { ...any, provider: null }] : [purpose, any]
      const { body } = (emails[email] as Email<'lead'>).draft(all as never)
      const rendered = render(body)
      if (isFilled(rendered)) filled += 1
      expect(partsOf(rendered)).toEqual(partsOf(renderWithReact(body)))
    }
    fc.assert(fc.property(context, compare), { numRuns: 100 })
    if (purpose !== 'team') expect(filled).toBeGreaterThan(3)
  })
})

it('keeps the statics of a shape, and only the shapes that its optional slots allow', () => {
  const render7 = (about: Parameters<typeof aboutLead>[0]) =>
    render(DEFINITIONS.lead.provider.draft({ ...aboutLead(about), env }).body)
  const [one, other] = [render7({ lead: { first_name: 'Ada' } }), render7({ lead: { first_name: 'Zoë & Co' } })]
  expect(one.html.statics).toBe(other.html.statics)
  expect(one.text.statics).toBe(other.text.statics)
  expect(one.html.statics).toHaveLength(one.html.values.length + 1)
  expect(other.html.values).toContain('Zoë &amp; Co Avery')
  expect(other.text.values).toContain('Zoë & Co Avery')
  expect(render7({ lead: { match_distance_miles: null } }).text.statics).not.toBe(one.text.statics)
})
