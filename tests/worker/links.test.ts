import { describe, expect, it } from 'vitest'
import { emailSamples } from '../../worker/emails/emails.ts'
import { withoutSecrets } from '../../worker/emails/links.ts'
import { env } from '../../worker/emails/sample-people.ts'

const SITE = 'https://leads.example'
const inert = (part: string) => withoutSecrets(part, SITE)

describe('withoutSecrets', () => {
  it.each([
    ['the page of a clinic for a request', `${SITE}/r/AQAB-_9?answer=reached`, `${SITE}/r/•••`],
    ['the question to a visitor', `${SITE}/called/AQAB`, `${SITE}/called/•••`],
    ['an opt-out', `${SITE}/do-not-contact?t=person.7.eAb.c-_`, `${SITE}/do-not-contact•••`],
    ['the confirmation of an opt-out', `${SITE}/do-not-contact/clinic?t=clinic.9.x`, `${SITE}/do-not-contact/•••`],
    ['a fragment', `${SITE}/confirm-email#token`, `${SITE}/confirm-email•••`],
    ['a link to choose a password', `${SITE}/admin/password#token`, `${SITE}/admin/•••`],
    ['a fragment of the dashboard', `${SITE}/admin?lead=7#token`, `${SITE}/admin•••`],
    ['what is no picture', `${SITE}/pictures/clinic-7.png?t=secret`, `${SITE}/pictures/•••`],
    ['what is a picture somewhere else', `${SITE}/later/art/mark.png`, `${SITE}/later/•••`],
    ['what is no contact card', `${SITE}/api/providers/7/contact.vcf?t=secret`, `${SITE}/api/•••`],
    ['a link that nobody has thought of', `${SITE}/later/a/b?c#d`, `${SITE}/later/•••`],
    ['an address in capitals', 'HTTPS://LEADS.EXAMPLE/r/AQAB', 'HTTPS://LEADS.EXAMPLE/r/•••'],
  ])('leaves no token of %s', (_, address, expected) => {
    expect(inert(`<a href="${address}">Open</a>\n${address}\nBye`)).toBe(
      `<a href="${expected}">Open</a>\n${expected}\nBye`,
    )
  })

  it('leaves what is no secret: the dashboard’s addresses, pictures, pages without a token, other sites and everything else', () => {
    for (const part of [
      `<a href="${SITE}/admin?lead=7&amp;tab=leads">Open</a>`,
      `<img src="${SITE}/art/mark.png"><img src="${SITE}/pictures/clinic-72.png">`,
      `<a href="${SITE}/api/providers/72/contact.vcf">Save contact</a>`,
      `See ${SITE} or ${SITE}/terms.`,
      '<a href="https://clinic.example/r/book?t=1#now">Website</a> · mailto:care@leads.example',
    ]) {
      expect(inert(part)).toBe(part)
    }
  })
})

it.each(emailSamples())('a copy of the email $name has no token, in none of its parts', ({ mail }) => {
  const ours = new RegExp(`${env.PUBLIC_URL}([^\\s"'<>]*)`, 'g')
  for (const part of [mail.html, mail.text]) {
    const copy = withoutSecrets(part, env.PUBLIC_URL)
    for (const [, rest] of copy.matchAll(ours))
      expect(rest).toMatch(
        /^(\/admin(\?.*)?|\/(art\/mark|pictures\/clinic-7)\.png|\/api\/providers\/\d+\/contact\.vcf|\/?[\w-]*\/?(•••)?)\.?$/,
      )
  }
})
