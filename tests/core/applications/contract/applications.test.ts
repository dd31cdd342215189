import { describe, expect, it } from 'vitest'
import { ApplicationForm, NewApplication } from '../../../../core/applications/contract/applications.ts'
import { applicationForm } from '../../../support/factories.ts'

const read = (overrides: Record<string, unknown>) => ApplicationForm.safeParse({ ...applicationForm(), ...overrides })
const website = (typed: unknown) => {
  const { success, data, error } = read({ website: typed })
  return success ? data.website : error?.issues[0]?.message
}

describe('the application form', () => {
  it('says what is missing', () => {
    const { error } = ApplicationForm.safeParse({})
    expect(Object.fromEntries(error?.issues.map(({ path, message }) => [path[0], message]) ?? [])).toEqual({
      name: 'Name is required',
      practice_name: 'Practice name is required',
      email: 'Email is required',
      phone: 'Phone number is required',
      zip_code: 'Zip code is required',
      acceptance_consent: 'You must agree to receive communications to continue.',
    })
  })

  it.each([
    ['email', 'nobody', 'Invalid email format'],
    ['zip_code', '1234', 'Please enter a valid 5-digit zip code'],
    ['name', '   ', 'Name is required'],
    ['practice_name', 'x'.repeat(201), 'Practice name must be 200 characters or fewer'],
    ['name', 'Ines\r\nBcc: x', 'Name contains characters that cannot be used'],
    ['message', 'x'.repeat(2001), 'Message must be 2000 characters or fewer'],
    ['message', 'a\u0000b', 'Message contains characters that cannot be used'],
    ['acceptance_consent', false, 'You must agree to receive communications to continue.'],
  ])('refuses in %s: %j', (field, value, message) => {
    expect(read({ [field]: value }).error?.issues).toMatchObject([{ path: [field], message }])
  })

  it('takes a message of several lines, and none at all', () => {
    expect(read({ message: ' Hello,\r\n\tdear team ' }).data?.message).toBe('Hello,\r\n\tdear team')
    for (const message of ['', '  \n ', undefined]) expect(read({ message }).data?.message).toBeUndefined()
  })

  it('takes signals that make no sense for none', () => {
    const form = NewApplication.parse({ ...applicationForm(), topic: 5, elapsed_ms: 'x', touched: null })
    expect(form).toMatchObject({ topic: undefined, elapsed_ms: undefined, touched: undefined })
  })
})

describe('the website', () => {
  it.each([
    ['calloway.example', 'https://calloway.example'],
    [' www.calloway.example/ ', 'https://www.calloway.example'],
    ['http://calloway.example', 'http://calloway.example'],
    ['HTTPS://Calloway.Example/About', 'https://calloway.example/About'],
    ['calloway.example/men?x=1#top', 'https://calloway.example/men?x=1#top'],
    ['calloway.example:8443', 'https://calloway.example:8443'],
    ['clínica.example', 'https://xn--clnica-4va.example'],
  ])('%j is %s', (typed, address) => {
    expect(website(typed)).toBe(address)
  })

  it.each(['', '   ', undefined])('may be left empty (%j)', (typed) => {
    expect(read({ website: typed })).toMatchObject({ success: true })
    expect(website(typed)).toBeUndefined()
  })

  it.each([
    'calloway',
    'localhost',
    'two words.example',
    'javascript:alert(1)',
    'javascript://calloway.example/%0aalert(1)',
    'data:text/html,x',
    'ftp://calloway.example',
    'https://user:secret@calloway.example',
    'mailto:ines@clinics.example',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://-.example',
    'https:\\\\calloway.example',
    '.example',
    'a..example',
    5,
  ])('is refused: %j', (typed) => {
    expect(website(typed)).toBe('Please enter a valid website address')
  })

  it('is refused when it is too long', () => {
    expect(website(`calloway.example/${'x'.repeat(300)}`)).toBe('Website must be 300 characters or fewer')
  })
})
