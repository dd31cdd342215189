import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { NewAlertChannel } from '../../../core/conditions/contract/alerts.ts'
import { Email, isEmailAddress, line, ZipCode } from '../../../core/contract/forms.ts'
import { PersonQuery } from '../../../core/privacy/contract/privacy.ts'

/** Each place that takes an address: it answers with the address, or undefined. */
const PLACES: Record<string, (email: string) => unknown> = {
  'a form': (email) => Email.safeParse(email).data,
  'an alert': (email) =>
    NewAlertChannel.safeParse({ kind: 'email', name: 'Us', addresses: [email] }).data?.addresses?.[0],
  'a search for a person': (contact) => PersonQuery.safeParse({ contact }).data?.contact,
}
const TAKEN = [
  'smith&jones@example.com',
  'wow!@example.com',
  'a#b@example.com',
  'sales/us@example.com',
  'bounce=x@example.com',
  '~pat@example.com',
  "pat'@example.com",
  "o'hara+x@sub.example.co.uk",
  '{pat}|$%*?^`@example.com',
  'maria@xn--e1afmkfd.xn--p1ai',
]
const REFUSED = [
  'pat@',
  '@example.com',
  'a b@example.com',
  'pat@example..com',
  'pat@example',
  'pat@-example.com',
  'pat..x@example.com',
  '.pat@example.com',
  'pat@1.2.3.4',
  'pat@[127.0.0.1]',
  'pat@example.com, evil@example.com',
  'pat@example.com;evil@example.com',
  'pat@example.com\r\nRCPT TO:<evil@example.com>',
  'Pat <pat@example.com>',
  '"a b"@example.com',
  'mailto:pat@example.com',
  'ａ@example.com',
  'pat@example.com\r\nBcc: evil@example.com',
  '<pat@example.com>',
  '"pat x"@example.com',
  'p\u00e4t@example.com',
]

describe.each(Object.entries(PLACES))('in %s', (_, read) => {
  it.each(TAKEN)('%s is taken', (email) => expect(read(email)).toBe(email))
  it.each(REFUSED)('%j is refused', (email) => expect(read(email)).toBeUndefined())
  it.each(['\u200bpat@example.com', 'pat@example.com\u200e', 'pat\u2060@example.com', ' pat@exa\u00admple.com '])(
    '%j is cleaned',
    (email) => expect(read(email)).toBe('pat@example.com'),
  )
})

it('takes nothing that a browser would refuse', () => {
  for (const email of TAKEN) expect(z.regexes.html5Email.test(email), email).toBe(true)
  expect(isEmailAddress(`${'a'.repeat(243)}@example.com`)).toBe(false)
})

it('cleans the other lines of a form', () => {
  expect(line('First name', 50).parse('\u200bJordan\u00ad')).toBe('Jordan')
  expect(line('First name', 50).safeParse('\u200b').success).toBe(false)
  expect(ZipCode.parse('\u200e78701\ufeff')).toBe('78701')
})
