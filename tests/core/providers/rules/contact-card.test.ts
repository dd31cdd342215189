import { describe, expect, it } from 'vitest'
import { contactCard, contactFileName } from '../../../../core/providers/rules/phone-files.ts'

const CLINIC = {
  name: 'Dr. Rosa Quill',
  practiceName: 'Quill Clinic',
  address: '1 Main Street, Austin, TX',
  city: 'Austin',
  state: 'TX',
  zipCode: '78701',
  phone: '(512) 555-0100',
  website: 'quill.example',
}

/** Reads a card: unfolds its lines, and returns the value of each property, as written. */
function propertiesOf(card: string | null): Record<string, string> {
  expect(card).toMatch(/^BEGIN:VCARD\r\nVERSION:3\.0\r\n(.*\r\n)+END:VCARD\r\n$/)
  const lines = (card ?? '').replaceAll('\r\n ', '').trimEnd().split('\r\n')
  return Object.fromEntries(lines.map((line) => [line.split(/[:;]/)[0], line.slice(line.indexOf(':') + 1)]))
}

/** Returns the parts of a value, without their escapes. */
const partsOf = (value = '') =>
  value.split(/(?<!\\);/).map((part) => part.replace(/\\(.)/g, (_, it) => (it === 'n' ? '\n' : it)))

describe('the contact card of a provider', () => {
  it('has the practice with its number, address and website, and no person', () => {
    expect(propertiesOf(contactCard(CLINIC))).toEqual({
      BEGIN: 'VCARD',
      VERSION: '3.0',
      FN: 'Quill Clinic',
      N: ';;;;',
      ORG: 'Quill Clinic',
      'X-ABShowAs': 'COMPANY',
      TEL: '+15125550100',
      ADR: ';;1 Main Street;Austin;TX;78701;USA',
      URL: 'https://quill.example',
      END: 'VCARD',
    })
  })

  it('has the provider’s name where there is no practice', () => {
    const card = propertiesOf(contactCard({ ...CLINIC, practiceName: null, website: null }))
    expect([card.FN, card.N, card.URL]).toEqual(['Dr. Rosa Quill', ';Dr. Rosa Quill;;;', undefined])
  })

  it.each(['http://quill.example', 'https://quill.example/?from=a'])('keeps the website %s', (website) => {
    expect(propertiesOf(contactCard({ ...CLINIC, website })).URL).toBe(website)
    expect(propertiesOf(contactCard({ ...CLINIC, website: 'q.example/https://x' })).URL).toBe(
      'https://q.example/https://x',
    )
  })

  it.each([null, '', '  '])('is none without a number: %j', (phone) => {
    expect(contactCard({ ...CLINIC, phone })).toBeNull()
  })

  it('keeps a number that it cannot dial as it is', () => {
    expect(propertiesOf(contactCard({ ...CLINIC, phone: '555-0100' })).TEL).toBe('555-0100')
  })

  it.each([
    [{ address: '1 Main Street, Austin, TX 78701' }, ['1 Main Street', 'Austin', 'TX', '78701']],
    [{ address: '1 Main Street' }, ['1 Main Street', 'Austin', 'TX', '78701']],
    [{ address: '1 Main Street, Round Rock, TX' }, ['1 Main Street, Round Rock, TX', '', '', '78701']],
    [{ address: null }, ['', 'Austin', 'TX', '78701']],
    [{ address: '1 Main Street, Suite 4', city: null, state: null }, ['1 Main Street, Suite 4', '', '', '78701']],
  ])('names each part of an address once: %j', (place, parts) => {
    const { ADR } = propertiesOf(contactCard({ ...CLINIC, ...place }))
    expect(partsOf(ADR)).toEqual(['', '', ...parts, 'USA'])
  })

  it('cannot be changed by a name, and has no line that is too long', () => {
    const practiceName = `Ärzte; Männer, "Ü"\\\r\nTEL:+15550000000 ${'Größe '.repeat(30)}`
    const card = contactCard({ ...CLINIC, practiceName })
    expect(partsOf(propertiesOf(card).FN)).toEqual([practiceName.trim().replace('\r\n', '\n')])
    for (const line of (card ?? '').split('\r\n')) expect(Buffer.byteLength(line), line).toBeLessThanOrEqual(75)
    expect(propertiesOf(card).TEL).toBe('+15125550100')
  })
})

it.each([
  ['Bluebonnet Men’s Health', 'bluebonnet-mens-health.vcf'],
  ['Clínica Núñez & Söhne', 'clinica-nunez-sohne.vcf'],
  ['../../etc/passwd"\r\n', 'etc-passwd.vcf'],
  ['北京', 'contact.vcf'],
  ['x'.repeat(70), `${'x'.repeat(60)}.vcf`],
])('the file of %s is called %s', (practiceName, file) => {
  expect(contactFileName({ name: '', practiceName })).toBe(file)
})
