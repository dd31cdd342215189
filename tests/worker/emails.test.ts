import { caniemail } from 'caniemail'
import { describe, expect, it } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import { texts } from '../../core/brand/texts.ts'
import { mailSamples } from '../../local/mail-samples.ts'
import { mailtoUrl, plain, telUrl } from '../../worker/emails/words.ts'

const samples = mailSamples()
const sample = (name: string) => {
  const found = samples.find((one) => one.name === name)
  if (!found) throw new Error(`There is no sample ${name}`)
  return found.mail
}
const partsOf = (name: string) => [sample(name).text, sample(name).html.replaceAll('&#x27;', "'")]
/** The words that an inbox shows beside the subject. */
const previewOf = (name: string) => /data-skip-in-text="true">([^<]*)/.exec(sample(name).html)?.[1]
/** The addresses that links lead to. */
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

describe.each(samples)('the e-mail $name', ({ mail }) => {
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

  it('has subject, sender’s reason and text for everybody', () => {
    expect(mail.subject).toMatch(/^[^\r\n]{10,}$/)
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain('You received this e-mail because')
      expect(part).toContain(brand.phone)
      expect(part).toContain(`${brand.legalName}, ${brand.postalAddress}`)
      expect(part).not.toMatch(/undefined|null|NaN|\[object/)
    }
    expect(mail.text).not.toMatch(/tel:|mailto:|\n{4}/)
  })

  it('turns no direction of what stands beside a name', () => {
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

describe('the e-mail to the clinic', () => {
  it('says first who it is and how to reach them, and last what they have agreed to', () => {
    for (const part of partsOf('provider')) {
      const body = part.slice(Math.max(part.indexOf('</head>'), 0))
      const order = ['Jordan Avery', '(512) 555-0117', '78702, about 3 miles from you', 'They expect your call'].concat(
        ['What came of it?', 'Their consent was given', 'If they ever reply STOP', 'You received this e-mail because'],
      )
      const places = order.map((words) => body.indexOf(words, body.indexOf('A visitor asks for a consultation')))
      expect(places).toEqual(places.toSorted((a, b) => a - b))
      expect(places[0]).toBeGreaterThan(0)
    }
    expect(sample('provider').html).toMatch(/font-size:28px[^>]*><a class="link" href="tel:\+15125550117"/)
  })

  it('has one button that calls, and the others are quiet', () => {
    const { html } = sample('provider')
    expect([...html.matchAll(/class="on-button" href="([^"]*)"/g)].map(([, address]) => address)).toEqual([
      'tel:+15125550117',
    ])
    expect(html).not.toMatch(/class="button" href/)
    expect(html.match(/class="quiet-button"/g)).toHaveLength(2)
  })

  it('says in the inbox where they are and what to do, and names nothing else', () => {
    expect(previewOf('provider')).toBe('Zip 78702, about 3 miles away. Tap to call.')
    expect(previewOf('provider-chosen')).toBe('Zip 78702. Tap to call.')
    expect(previewOf('provider-hostile')).toBe('Zip 78702, about 3 miles away. Open the request to answer it.')
  })

  it('says when, and by when to call, in the time of the clinic', () => {
    for (const part of partsOf('provider')) {
      expect(part).toContain('Sat, Nov 14, 10:30 PM CT')
      expect(part).toContain('They expect your call. Please call by Mon, Nov 16, 5:00 PM CT.')
    }
    for (const part of partsOf('provider-late')) {
      expect(part).toContain('They expect your call. Please call as soon as you can.')
    }
    for (const name of ['reminder', 'late-clinic', 'withdrawn', 'opted-out']) {
      for (const part of partsOf(name)) {
        expect(part).toMatch(/Nov 14, 2026, 10:30 PM CT/)
        expect(part).not.toMatch(/[AP]M ET/)
      }
    }
    for (const part of partsOf('late-team')) expect(part).toContain('Nov 14, 2026, 11:30 PM ET')
  })

  it('says who, how to reach them, how far, and why this clinic', () => {
    for (const part of partsOf('provider')) {
      for (const fact of [
        'Jordan Avery',
        '(512) 555-0117',
        'jordan.avery@visitors.example',
        '78702',
        'about 3 miles',
      ]) {
        expect(part).toContain(fact)
      }
      expect(part).toContain('You are the nearest clinic in our network that can take it.')
      expect(part).toContain('Lamar Men’s Health')
    }
    for (const part of partsOf('provider-chosen')) {
      expect(part).toContain('They chose your clinic.')
      expect(part).not.toContain('from you')
    }
  })

  it('says when consent was given, in which words, and how it ends', () => {
    for (const part of partsOf('provider')) {
      expect(part).toContain('Their consent was given on Nov 14, 2026, 10:30 PM CT, in these words')
      expect(part).toContain(`I consent to receive calls, emails or texts about the ${brand.product} from a provider.`)
      expect(part).toContain('If they ever reply STOP')
    }
    for (const part of partsOf('provider-chosen'))
      expect(part).toContain('the page did not send a wording that we know')
    for (const part of partsOf('provider-again')) {
      expect(part).toContain('the wording stated by the client')
      expect(part).toContain('I agree that a clinic calls me. Partner Form, 2026')
    }
  })

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

  it('does not name the visitor in the subject, which any screen shows', () => {
    expect(sample('provider').subject).toBe('New consultation request from zip 78702 (no. 4182)')
  })
})

describe('the e-mail to the visitor', () => {
  it('says whom we told, how to reach them, and what happens next', () => {
    for (const part of partsOf('visitor')) {
      for (const fact of ['Lamar Men’s Health', '(512) 555-0142', '1200 Lamar Boulevard', 'https://lamar.example']) {
        expect(part).toContain(fact)
      }
      expect(part).toContain('They will call you at (512) 555-0117')
      expect(part).toContain(`within two business days, call them, or write to us at ${brand.email}`)
    }
    expect(linksOf(sample('visitor').html)).toEqual(
      expect.arrayContaining(['tel:+15125550142', 'https://lamar.example']),
    )
    expect(linksOf(sample('visitor').html)).toContain(
      'https://www.google.com/maps/dir/?api=1&amp;destination=Lamar+Men%E2%80%99s+Health%2C+1200+Lamar+Boulevard%2C+Austin%2C+TX+78701',
    )
  })

  it('shows our mark with our name in words, and the doctor beside the picture of the clinic, if it has one', () => {
    const picturesOf = (name: string) => [...sample(name).html.matchAll(/<img src="([^"]*)"/g)].map(([, src]) => src)
    const [mark, picture] = ['http://localhost:3000/art/mark.png', 'http://localhost:3000/pictures/clinic-7.png']
    expect(picturesOf('visitor')).toEqual([mark, picture])
    expect(picturesOf('visitor-no-phone')).toEqual([mark])
    for (const name of ['visitor-searching', 'visitor-question']) expect(picturesOf(name)).toEqual([mark])
    for (const part of partsOf('visitor')) {
      expect(part).toContain('Dr. Rosa Quill')
      expect(part).toContain(brand.company)
    }
    expect(sample('visitor').text).toContain('\nDr. Rosa Quill\nLamar Men’s Health\n')
    expect(sample('visitor').text).not.toMatch(/mark\.png|clinic-7/)
  })

  it('says whose number to save, and what to ask', () => {
    for (const part of partsOf('visitor')) {
      expect(part).toContain('Save their number, (512) 555-0142, so that you know who calls.')
      for (const question of texts.toAsk) expect(part).toContain(question)
    }
    expect(linksOf(sample('visitor').html)).toContain('http://localhost:3000/api/providers/7/contact.vcf')
    for (const part of partsOf('visitor-no-phone')) expect(part).not.toMatch(/Save their number|Save contact/)
    expect(sample('visitor').text).toMatch(/Directions https:\S+ Save contact http:\S+contact\.vcf\n/)
  })

  it('sets the questions apart from the notes below them', () => {
    const rooms = [...sample('visitor').html.matchAll(/margin-bottom:(\d+)px[^>]*>•/g)].map(([, room]) => Number(room))
    expect(rooms).toHaveLength(texts.toAsk.length)
    expect(rooms.at(-1)).toBeGreaterThan(Math.max(...rooms.slice(0, -1)))
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

  it.each(['visitor', 'visitor-searching', 'visitor-new-clinic'])('says how discreet it is: %s', (name) => {
    for (const part of partsOf(name))
      expect(part).toContain('This e-mail and its subject name no treatment, on purpose.')
  })

  it('does without a phone, an address or a website that makes sense', () => {
    for (const part of partsOf('visitor-no-phone')) {
      expect(part).not.toMatch(/Phone:|Website:|>Call /)
      expect(part).toContain(`within two business days, write to us at ${brand.email}`)
    }
    expect(linksOf(sample('visitor-no-phone').html)).toEqual([sample('visitor-no-phone').optOut?.url])
  })

  it('says that we keep looking, and that nobody has been told', () => {
    for (const part of partsOf('visitor-searching')) {
      expect(part).toContain('no certified provider within 100 miles of zip code 78702')
      expect(part).toContain('Our team keeps looking')
      expect(part).toContain('No provider has your contact details until then')
    }
  })

  it.each(['visitor', 'visitor-searching'])('names no treatment before it is opened: %s', (name) => {
    const preview = previewOf(name)
    expect(preview).toMatch(/\w+/)
    for (const seen of [sample(name).subject, preview])
      expect(seen).not.toMatch(new RegExp(`${brand.company}|${brand.product}|protocol|treatment|increase`, 'i'))
  })
})

describe('the e-mail to the team', () => {
  it('says who waits, who is nearest and how far, and where to match them', () => {
    for (const part of partsOf('team')) {
      for (const fact of ['no. 4182', 'Jordan Avery', '(512) 555-0117', 'within 100 miles'])
        expect(part).toContain(fact)
      expect(part).toContain('http://localhost:3000/admin?lead=4182')
    }
    expect(sample('team').text).toContain(
      [
        'Calloway Clinic (no. 12): about 112 miles, zip 73301, (512) 555-0163',
        'Dr. Tomas Wren (no. 31): about 146 miles, zip 77002',
        'North Loop Urology (no. 8): about 1,183 miles, zip 75201, (214) 555-0188',
      ].join('\n'),
    )
    expect(sample('team').replyTo).toEqual({ name: 'Jordan Avery', address: 'jordan.avery@visitors.example' })
  })

  it('says so where there is no provider at all', () => {
    for (const part of partsOf('team-no-provider')) expect(part).toContain('no provider is active')
  })

  it('gives no answer to whoever may be a program', () => {
    expect(sample('team-held').replyTo).toBeUndefined()
  })
})

it.each([
  ['visitor', 'visitor-no-phone'],
  ['provider', 'provider-chosen'],
])('promises a free consultation only with a clinic that offers one: %s', (free, paid) => {
  for (const part of partsOf(free)) expect(part).toContain('free consultation')
  for (const part of partsOf(paid)) expect(part).not.toMatch(/free/i)
})

describe('a way to hear no more', () => {
  it('is offered to visitors and applicants, whose consent promises it, and to nobody who must not miss an e-mail', () => {
    const offered = samples.filter(({ mail }) => mail.optOut).map(({ name }) => name)
    expect(offered).toEqual(samples.map(({ name }) => name).filter((name) => /^(visitor|applicant)/.test(name)))
    expect(sample('visitor').optOut).toEqual({
      url: expect.stringContaining('http://localhost:3000/do-not-contact?t=person.4182.'),
      mailto: `mailto:${brand.email}?subject=STOP%20(request%20no.%204182)`,
    })
    for (const name of offered) {
      expect(linksOf(sample(name).html)).toContain(sample(name).optOut?.url)
      expect(sample(name).text).toContain('Do not contact me any more')
    }
  })
})

describe('what a stranger typed', () => {
  it.each(['provider-hostile', 'team-held', 'application-held'])('is shown as text, whatever it is: %s', (name) => {
    const { html, text } = sample(name)
    expect(html).not.toMatch(/<script|<b>|<img|<!-- |<a href=x/)
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).toContain('<script>alert(1)</script>')
    expect(text).toContain('"Quotes" & <b>bold</b> {{name}} &amp;')
  })

  it('may be written from right to left, and stands for itself', () => {
    expect(sample('provider-right-to-left').html).toContain('<span dir="auto">יעל בן-דוד</span></p>')
    expect(plain('\u202eevil\u2066')).toBe('evil')
  })
})

describe('a phone number', () => {
  it.each([
    ['(512) 555-0117', 'tel:+15125550117'],
    ['1-512-555-0117', 'tel:+15125550117'],
    ['+1 512 555 0117 ext. 44', 'tel:+15125550117'],
    ['512.555.0117 x44', 'tel:+15125550117'],
    ['512 555 0117 #44', 'tel:+15125550117'],
    [' +972 50 555 0117', 'tel:+972505550117'],
    ['555-0117', null],
    ['none', null],
    ['+', null],
    ['', null],
    ['12345678901234567890', null],
  ])('%j is dialled as %s', (phone, address) => {
    expect(telUrl(phone)).toBe(address)
  })
})

it('keeps an e-mail address in a link from adding anything to it', () => {
  expect(mailtoUrl('a?cc=evil@x.example&b%20c@y.example', 'A & B?')).toBe(
    'mailto:a%3Fcc%3Devil@x.example%26b%2520c@y.example?subject=A%20%26%20B%3F',
  )
})
