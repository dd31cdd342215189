import { describe, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import type { ReturnedForm } from '../../core/contract/page.ts'
import { LeadForm } from '../../web/site/lead-form/lead-form.tsx'
import { ProviderFinder } from '../../web/site/lead-form/provider-finder.tsx'
import { Quiz } from '../../web/site/lead-form/quiz.tsx'
import { render, tagWith } from './render.tsx'

const REFUSED: ReturnedForm = {
  url: '/',
  values: { first_name: 'Jordan', email: 'jordan@', zip_code: '00000', acceptance_consent: true },
  errors: { email: 'Invalid email format', phone: 'Phone number is required' },
}

describe('the lead form before it is hydrated', () => {
  const html = render(<LeadForm />, '/start')

  it('is a plain form that posts a lead', () => {
    expect(tagWith(html, '<form')).toContain('action="/api/leads" method="post"')
    expect(tagWith(html, '<form')).not.toContain('noValidate')
    expect(tagWith(html, 'name="consent_version"')).toContain(`value="${CONSENT.form.version}"`)
    expect(html).toContain(CONSENT.form.sharing.wording)
    expect(tagWith(html, 'name="acceptance_message"')).toContain(`value="${CONSENT.form.wording}"`)
    expect(tagWith(html, 'name="page"')).toContain('value="/start"')
  })

  it.each(['first_name', 'last_name', 'email', 'phone', 'zip_code', 'acceptance_consent'])(
    'lets the browser insist on %s, and starts without a value that would replace what is typed',
    (name) => {
      const field = tagWith(html, `name="${name}"`)
      expect(field).toContain('required')
      expect(field).not.toContain('value=')
    },
  )

  it('tells the browser what belongs where', () => {
    expect(tagWith(html, 'name="email"')).toContain('type="email" autoComplete="email"')
    expect(tagWith(html, 'name="phone"')).toContain('type="tel" autoComplete="tel"')
    expect(tagWith(html, 'name="zip_code"')).toContain('inputMode="numeric" autoComplete="postal-code" maxLength="5"')
  })

  it('hides the trap from people without hiding it from programs', () => {
    expect(tagWith(html, 'name="topic"')).toContain('tabindex="-1" autoComplete="off"')
    expect(html).toMatch(/<div aria-hidden="true"[^>]*><label>Leave this field empty<input/)
  })

  it('has no inline style', () => expect(html).not.toContain('style='))

  it('belongs to a provider if it is given one', () => {
    const chosen = render(<LeadForm providerId={7} />)
    expect(tagWith(chosen, '<form')).toContain('action="/api/leads?providerId=7"')
    expect(chosen).toContain('Learn More!')
    expect(chosen).toContain('Click to find out if you qualify for treatment.')
  })
})

describe('a lead form that the server has refused', () => {
  const html = render(<LeadForm />, '/', { form: REFUSED })

  it('holds what was typed', () => {
    expect(tagWith(html, 'name="first_name"')).toContain('value="Jordan"')
    expect(tagWith(html, 'name="email"')).toContain('value="jordan@"')
    expect(tagWith(html, 'name="acceptance_consent"')).toContain('checked')
  })

  it('says at each field what is wrong, and leads to the first', () => {
    expect(problemAt(html, 'email')).toBe('Invalid email format')
    expect(problemAt(html, 'phone')).toBe('Phone number is required')
    expect(problemAt(html, 'first_name')).toBeUndefined()
    expect(html.match(/autofocus/gi)).toHaveLength(1)
    expect(tagWith(html, 'name="email"')).toMatch(/autofocus/i)
  })

  it('says what is wrong with no field in particular', () => {
    const form = { url: '/', values: {}, errors: { form: 'We cannot save anything.' } }
    const unavailable = render(<LeadForm />, '/', { form })
    expect(unavailable).toMatch(/role="alert".*We cannot save anything\./)
  })
})

it('shows no form that belongs to another page', () => {
  expect(render(<LeadForm />, '/terms', { form: REFUSED })).not.toContain('Jordan')
})

describe.each([
  { screen: 'the quiz', Screen: Quiz, path: '/start', first: 'Zip Code', second: 'Tell us about you' },
  {
    screen: 'the search for a provider',
    Screen: ProviderFinder,
    path: '/homev2',
    first: 'Where Are You Located?',
    second: 'Complete Your Information',
  },
])('$screen without JavaScript', ({ Screen, path, first, second }) => {
  it('asks for the zip code in a form that leads to the next step, and keeps the provider', () => {
    const html = render(<Screen />, `${path}?providerId=7`)
    expect(html).toContain(first)
    expect(tagWith(html, '<form')).toContain(`action="${path}" method="get"`)
    expect(tagWith(html, 'name="providerId"')).toContain('type="hidden"')
    expect(tagWith(html, 'name="zip_code"')).toContain('required')
  })

  it('is the same HTML for every campaign, as the server renders it once for all of them', () => {
    expect(render(<Screen />, `${path}?utm_source=news&gclid=1`)).toBe(render(<Screen />, path))
  })

  it('then asks for the person, and posts the zip code with it', () => {
    const html = render(<Screen />, `${path}?providerId=7&zip_code=78702`)
    expect(html).toContain(second)
    expect(tagWith(html, '<form')).toContain('action="/api/leads?providerId=7" method="post"')
    expect(tagWith(html, 'name="zip_code"')).toContain('type="hidden"')
    expect(tagWith(html, 'name="zip_code"')).toContain('value="78702"')
    expect(tagWith(html, '<a ')).toContain(`href="${path}?providerId=7"`)
  })

  it('shows the zip code of a refused form beside what else was typed', () => {
    const refused = { ...REFUSED, url: path }
    expect(tagWith(render(<Screen />, path, { form: refused }), 'name="zip_code"')).toContain('value="00000"')
    const form = { ...refused, errors: { zip_code: 'Please enter a valid 5-digit zip code' } }
    const html = render(<Screen />, path, { form })
    expect(html).toContain(second)
    expect(tagWith(html, 'name="zip_code"')).toContain('value="00000"')
    expect(problemAt(html, 'zip_code')).toBe('Please enter a valid 5-digit zip code')
    expect(tagWith(html, 'name="first_name"')).toContain('value="Jordan"')
  })
})

it('says in the quiz that a zip code in the address is none, and shows it', () => {
  const html = render(<Quiz />, '/start?zip_code=787')
  expect(tagWith(html, 'name="zip_code"')).toContain('value="787"')
  expect(problemAt(html, 'zip_code')).toBe('Please enter a valid 5-digit zip code')
})

it('says in the search for a provider what is wrong with a zip code in the address', () => {
  expect(render(<ProviderFinder />, '/homev2?zip_code=K1A')).toContain('Complete Your Information')
  expect(problemAt(render(<ProviderFinder />, '/homev2?zip_code='), 'zip_code')).toBe(
    'Please enter your ZIP code to continue.',
  )
})

/** What a screen reader says is wrong with a field. */
function problemAt(html: string, name: string): string | undefined {
  const id = /aria-invalid="true" aria-describedby="([^"]+)"/.exec(tagWith(html, `name="${name}"`) ?? '')?.[1]
  return id && new RegExp(`<p id="${id}"[^>]*>([^<]*)`).exec(html)?.[1]
}
