import { describe, expect, it } from 'vitest'
import { LeadForm, NewLead } from '../../../../core/contract/forms.ts'
import { leadForm } from '../../../support/factories.ts'

const read = (overrides: Record<string, unknown>) => LeadForm.safeParse({ ...leadForm(), ...overrides })

describe('the lead form', () => {
  it('says what is missing', () => {
    const { error } = LeadForm.safeParse({})
    expect(Object.fromEntries(error?.issues.map(({ path, message }) => [path[0], message]) ?? [])).toEqual({
      first_name: 'First name is required',
      last_name: 'Last name is required',
      email: 'Email is required',
      phone: 'Phone number is required',
      zip_code: 'Zip code is required',
      acceptance_consent: 'You must agree to receive communications to continue.',
    })
  })

  it.each([
    ['first_name', '   ', 'First name is required'],
    ['last_name', 'x'.repeat(101), 'Last name must be 100 characters or fewer'],
    ['last_name', 'Avery\r\nBcc: x', 'Last name contains characters that cannot be used'],
    ['email', '', 'Email is required'],
    ['email', 'jordan', 'Invalid email format'],
    ['email', 'jordan@', 'Invalid email format'],
    ['email', 'jordan avery@visitors.example', 'Invalid email format'],
    ['phone', '', 'Phone number is required'],
    ['phone', '1'.repeat(41), 'Phone number must be 40 characters or fewer'],
    ['zip_code', '', 'Zip code is required'],
    ['zip_code', '7870', 'Please enter a valid 5-digit zip code'],
    ['zip_code', '7870a', 'Please enter a valid 5-digit zip code'],
    ['zip_code', '787029', 'Please enter a valid 5-digit zip code'],
    ['zip_code', '00000', 'Please enter a valid 5-digit zip code'],
    ['zip_code', '99951', 'Please enter a valid 5-digit zip code'],
    ['acceptance_consent', false, 'You must agree to receive communications to continue.'],
  ])('refuses in %s: %j', (field, value, message) => {
    expect(read({ [field]: value }).error?.issues[0]).toMatchObject({ path: [field], message })
  })

  const UNUSABLE = ['\u0000', '\u001b[31m', '\u007f', '\u0085', '\n', '\r\nBcc: evil@evil.example', '\r', '\u2028']
  it.each([...UNUSABLE, '\ud800', '\udc00'])('refuses %j in a line of text', (character) => {
    for (const field of ['first_name', 'last_name', 'phone']) {
      expect(read({ [field]: `a${character}b` }).error?.issues[0]?.path, field).toEqual([field])
    }
    expect(read({ email: `a${character}b@visitors.example` }).error?.issues[0]?.path).toEqual(['email'])
  })

  it.each([
    ['first_name', '𝕏'.repeat(5000)],
    ['last_name', 'e\u0301\u0327'.repeat(3000)],
    ['email', `${'x'.repeat(250)}@visitors.example`],
  ])('refuses a %s that is too long', (field, value) => {
    expect(read({ [field]: value }).error?.issues[0]?.message).toMatch(/characters or fewer$/)
  })

  it.each(
    `99999 123456 78702-1234 ABCDE -7870 +7870 1e4 ７８７０２ ٧٨٧٠٢ 787%2 00500`
      .split(' ')
      .concat('7 702', '78702\n78703'),
  )('refuses the zip code %j', (zip_code) => {
    expect(read({ zip_code }).error?.issues[0]?.message).toBe('Please enter a valid 5-digit zip code')
  })

  it('takes signals and an attribution that make no sense for none', () => {
    const lead = NewLead.parse({ ...leadForm(), topic: 5, elapsed_ms: -1, touched: null, attribution: 'x' })
    expect(lead).toMatchObject({ topic: undefined, elapsed_ms: undefined, touched: undefined, attribution: undefined })
  })
})
