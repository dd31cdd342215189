import { caniemail } from 'caniemail'
import { describe, expect, it } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import { emailSamples } from '../../worker/emails/emails.ts'
import { mailtoUrl, plain } from '../../worker/emails/words.ts'

// The words of each email are in tests/worker/emails: `npm test -- tests/worker/emails.test.ts -u` writes them again.

const samples = emailSamples()
const sample = (name: string) => {
  const found = samples.find((one) => one.name === name)
  if (!found) throw new Error(`There is no sample ${name}`)
  return found.mail
}
/** The words that an inbox shows beside the subject. */
const previewOf = (name: string) => /data-skip-in-text="true">([^<]*)/.exec(sample(name).html)?.[1]
const linksOf = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address)

/** The mail programs of nearly all recipients, on every system that has them. Source of their rules: caniemail.com. */
const MAIL_PROGRAMS = ['apple-mail.*', 'gmail.*', 'outlook.*', 'samsung-email.*', 'yahoo.*'] as const

/** What one of them leaves out without harm, and why that is none. */
const HARMLESS: Record<string, string> = {
  'border-radius': 'corners are square',
  '@media': 'no dark colours; the light ones are inline',
  '<style> element': 'the same',
  '<body> element': 'the cell inside has the colour, too',
  overflow: 'of the hidden preview text, which is hidden in several ways',
  opacity: 'the same',
  'display:none': 'the same',
  'text-decoration-line': 'a default of React Email, which our text-decoration overrides',
  'role attribute': 'for screen readers where there are any',
  'word-break': 'Yahoo scrolls to the end of a very long word',
  'white-space': 'a time or a link is broken over two lines',
  'height property': 'the package takes line-height and max-height for it',
  'target attribute': 'links open in a new window anyway',
}

/** Replaces the words of the brand by their names, because they may stand in core/brand alone. */
function withoutBrand(text: string): string {
  const { email, company, product } = brand
  return Object.entries({ email, product, company }).reduce(
    (rest, [name, word]) => rest.replaceAll(word, `{${name}}`),
    text,
  )
}

// The other samples show how long and hostile texts look.
const approved = samples.filter(({ name }) => !/-(long|hostile|right-to-left)$/.test(name))

it.each(approved)('has the approved words in the email $name', async ({ name, mail }) => {
  const { subject, replyTo, text } = mail
  const lines = text.split('\n').filter((line) => line.trim())
  const end = lines.findIndex((line) => line.startsWith('You received this email because'))
  const header = [`Subject: ${subject}`, `Preview: ${previewOf(name)}`, `Reply to: ${replyTo?.address ?? 'us'}`]
  const words = withoutBrand([...header, ...lines.slice(0, end + 1)].join('\n'))
  await expect(`${words}\n`).toMatchFileSnapshot(`emails/${name}.txt`)
})

describe.each(samples)('the email $name', ({ mail }) => {
  it('uses nothing that a mail program would miss', () => {
    const { issues } = caniemail({ clients: [...MAIL_PROGRAMS], html: mail.html })
    const missing = new Set([...issues.errors.values()].flat().map(({ title }) => title))
    expect([...missing].filter((title) => !HARMLESS[title])).toEqual([])
  })

  it('loads nothing but our pictures, runs nothing, and is small', () => {
    expect(mail.html).not.toMatch(/<(script|link|iframe|form|svg)\b|srcset|url\(|@import|javascript:/i)
    for (const [picture] of mail.html.matchAll(/<img\b[^>]*>/gi)) {
      expect(picture).toMatch(
        /^<img src="http:\/\/localhost:3000\/(art\/mark|pictures\/clinic-\d+)\.png" alt="" width=/,
      )
    }
    // Gmail cuts at 102 KB.
    expect(Buffer.byteLength(mail.html)).toBeLessThan(60 * 1024)
    expect(Buffer.byteLength(mail.text)).toBeLessThan(10 * 1024)
    for (const address of linksOf(mail.html)) expect(address).toMatch(/^(https?:\/\/|mailto:|tel:\+)/)
  })

  it('says who sends it and why, also without pictures', () => {
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain('You received this email because')
      expect(part).toContain(brand.phone)
      expect(part).toContain(`${brand.legalName}, ${brand.postalAddress}`)
      expect(part).not.toMatch(/undefined|null|NaN|\[object/)
    }
    expect(mail.text).not.toMatch(/tel:|mailto:|\n{4}/)
  })

  it('keeps the direction of text around names that are written from right to left', () => {
    for (const part of [
      mail.subject,
      mail.text,
      mail.replyTo?.name ?? '',
      mail.html.replace(/<div data-skip.*?<\/div>/s, ''),
    ]) {
      expect(part).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    }
  })
})

describe('the email to the clinic', () => {
  it('has a link to call and one to reply, and an answer goes to the visitor', () => {
    const { html, replyTo } = sample('provider')
    expect(linksOf(html)).toContain('tel:+15125550117')
    expect(linksOf(html)).toContain(
      'mailto:jordan.avery@visitors.example?subject=Your%20request%20for%20a%20consultation',
    )
    expect(replyTo).toEqual({ name: 'Jordan Avery', address: 'jordan.avery@visitors.example' })
  })

  it('has no link to call what is no number', () => {
    expect(linksOf(sample('provider-hostile').html).filter((address) => address?.startsWith('tel:'))).toEqual([])
    expect(sample('provider-hostile').text).toContain('call me: <a href=x>\n')
    expect(sample('provider-hostile').text).toContain('They expect your answer. Please reply by Mon')
    expect(sample('provider-hostile').html).toMatch(/class="on-button" href="http:\/\/localhost:3000\/r\//)
  })
})

describe('the email to the visitor', () => {
  it('shows our mark, and the picture of the clinic if it has one', () => {
    const picturesOf = (name: string) => [...sample(name).html.matchAll(/<img src="([^"]*)"/g)].map(([, src]) => src)
    const [mark, picture] = ['http://localhost:3000/art/mark.png', 'http://localhost:3000/pictures/clinic-7.png']
    expect(picturesOf('visitor')).toEqual([mark, picture])
    expect(picturesOf('visitor-no-phone')).toEqual([mark])
    for (const name of ['visitor-searching', 'visitor-question']) expect(picturesOf(name)).toEqual([mark])
  })

  it.each(samples.map(({ name }) => name).filter((name) => name.startsWith('visitor')))(
    'names no treatment: %s',
    (name) => {
      const treatment = new RegExp(
        `${brand.product}|protocol|treatments|increase|therapy|injection|urolog|\\bsize\\b`,
        'i',
      )
      for (const part of [sample(name).text, sample(name).html.replace(/<style.*<\/style>| style="[^"]*"/gs, '')]) {
        expect(part).not.toMatch(treatment)
      }
    },
  )

  it.each(['visitor', 'visitor-searching'])('names no treatment before it is opened: %s', (name) => {
    const preview = previewOf(name)
    expect(preview).toMatch(/\w+/)
    for (const seen of [sample(name).subject, preview])
      expect(seen).not.toMatch(new RegExp(`${brand.company}|${brand.product}|protocol|treatment|increase`, 'i'))
  })
})

it.each([
  ['visitor', 'visitor-no-phone'],
  ['provider', 'provider-chosen'],
])('promises a free consultation only with a clinic that offers one: %s', (free, paid) => {
  for (const part of [sample(free).text]) expect(part).toContain('free consultation')
  for (const part of [sample(paid).text]) expect(part).not.toMatch(/free/i)
})

it('a way to hear no more is offered to visitors and applicants, whose consent promises it, and to nobody who must not miss an email', () => {
  const offered = samples.filter(({ mail }) => mail.optOut).map(({ name }) => name)
  expect(offered).toEqual(samples.map(({ name }) => name).filter((name) => /^(visitor|applicant)/.test(name)))
  expect(sample('visitor').optOut).toEqual({
    url: expect.stringContaining('http://localhost:3000/do-not-contact?t=person.4182.'),
    mailto: `mailto:${brand.email}?subject=STOP%20(request%20no.%204182)`,
  })
  for (const name of offered) {
    expect(linksOf(sample(name).html)).toContain(sample(name).optOut?.url)
    expect(sample(name).text).toContain('Stop contacting me')
  }
})

it('what a stranger typed may be written from right to left, and stands for itself', () => {
  expect(sample('provider-right-to-left').html).toContain('<span dir="auto">יעל בן-דוד</span></p>')
  expect(plain('\u202eevil\u2066')).toBe('evil')
})

it('keeps an email address in a link from adding anything to it', () => {
  expect(mailtoUrl('a?cc=evil@x.example&b%20c@y.example', 'A & B?')).toBe(
    'mailto:a%3Fcc%3Devil@x.example%26b%2520c@y.example?subject=A%20%26%20B%3F',
  )
})
