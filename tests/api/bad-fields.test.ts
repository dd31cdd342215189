import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api-server.ts'
import { leadForm } from '../support/factories.ts'
import { expectLeadRefused, formText, JSON_TYPE } from '../support/refusals.ts'
import { checkRows } from '../support/rows.ts'

const { api, database } = useApi()

const refused = (body: string | Buffer, headers: Record<string, string> = JSON_TYPE) =>
  expectLeadRefused({ url: api.url, db: database.db }, body, headers)

/** The fields that a refusal names. */
const refusedFields = async (overrides: Record<string, unknown>) =>
  Object.keys((await refused(formText(overrides))).fields ?? {})

describe('a field', () => {
  const fields = ['first_name', 'last_name', 'email', 'phone', 'zip_code', 'acceptance_consent', 'acceptance_message']
  const wrong: Record<string, unknown> = { null: null, number: 78702, list: ['78702'], object: { a: 1 }, text: 'true' }
  const cases = fields.flatMap((field) =>
    Object.entries(wrong)
      .filter(([type]) => type !== 'text' || field === 'acceptance_consent')
      // The wording may be left out (call 5).
      .filter(([type]) => type !== 'null' || field !== 'acceptance_message')
      .map(([type, value]) => ({ field, type, value })),
  )

  it('is refused as another type', async () => {
    await checkRows(
      cases,
      ({ field, type }) => `${field} as ${type}`,
      async ({ field, value }) => {
        const { status, code, fields: problems = {} } = await refused(formText({ [field]: value }))
        expect({ status, code, fields: Object.keys(problems) }).toEqual({
          status: 422,
          code: 'invalid',
          fields: [field],
        })
      },
    )
  })

  it('is refused when it is missing', async () => {
    const needed = fields.filter((field) => field !== 'acceptance_message')
    await checkRows(needed, String, async (field) => {
      expect(await refusedFields({ [field]: undefined })).toEqual([field])
    })
  })

  it('is refused when it is blank', async () => {
    const texts = ['first_name', 'last_name', 'email', 'phone', 'zip_code']
    const blanks = texts.flatMap((field) => ['', '   ', '\t', '\u00a0'].map((blank) => ({ field, blank })))
    await checkRows(blanks, JSON.stringify, async ({ field, blank }) => {
      expect(await refusedFields({ [field]: blank })).toEqual([field])
    })
  })

  it('acceptance_consent is refused when it is not given', async () => {
    const { error, fields: problems } = await refused(formText({ acceptance_consent: false }))
    expect(error).toBe('You must agree to receive communications to continue.')
    expect(problems).toEqual({ acceptance_consent: error })
  })

  const UNUSABLE: [string, string][] = [
    ['NUL', 'a\u0000b'],
    ['an escape', 'a\u001b[31mb'],
    ['a delete', 'a\u007fb'],
    ['a C1 control', 'a\u0085b'],
    ['a line break', 'a\nb'],
    ['a header injection', 'Jordan\r\nBcc: evil@evil.example'],
    ['a bare carriage return', 'Jordan\rBcc: evil@evil.example'],
    ['a line separator', 'a\u2028b'],
    ['a lone high surrogate', 'a\ud800b'],
    ['a lone low surrogate', 'a\udc00b'],
  ]
  it('is refused with characters that no line of text has', async () => {
    const rows = ['first_name', 'last_name', 'phone', 'email'].flatMap((field) =>
      UNUSABLE.map(([what, value]) => ({
        field,
        what,
        value: field === 'email' ? `${value}@visitors.example` : value,
      })),
    )
    await checkRows(
      rows,
      ({ field, what }) => `${field} with ${what}`,
      async ({ field, value }) => {
        expect(await refusedFields({ [field]: value })).toEqual([field])
      },
    )
  })

  it('is refused when it is too long', async () => {
    const rows = [
      ['first_name', 'x'.repeat(101)],
      ['first_name', '𝕏'.repeat(5000)],
      ['last_name', 'e\u0301\u0327'.repeat(3000)],
      ['phone', '5'.repeat(41)],
      ['email', `${'x'.repeat(250)}@visitors.example`],
    ] as const
    await checkRows(
      rows,
      ([field, value]) => `${field} of ${value.length}`,
      async ([field, value]) => {
        const { fields: problems } = await refused(formText({ [field]: value }))
        expect(problems).toEqual({ [field]: expect.stringMatching(/characters or fewer/) })
      },
    )
  })

  it('is refused when it is no e-mail address', async () => {
    const addresses = [
      'a@b.co, evil@x.com',
      'a@b.co;evil@x.com',
      'a@b.co evil@x.com',
      'a@b.co\r\nRCPT TO:<evil@x.com>',
      '<a@b.co>',
      'Jordan <a@b.co>',
      '"a b"@b.co',
      'a@b',
      'a@',
      '@b.co',
      'a@@b.co',
      'a..b@b.co',
      'a@b..co',
      'a@[127.0.0.1]',
      'a@b.co\u0000',
      'mailto:a@b.co',
      'ａ@b.co',
    ]
    await checkRows(addresses, JSON.stringify, async (email) => {
      expect((await refused(formText({ email }))).fields).toEqual({ email: 'Invalid email format' })
    })
  })

  it('is refused when it is no zip code', async () => {
    const zips = [
      '00000',
      '00500',
      '99951',
      '99999',
      '1234',
      '123456',
      '78702-1234',
      'ABCDE',
      '7870a',
      '-7870',
      '+7870',
      '7 702',
      '1e4',
      '７８７０２',
      '٧٨٧٠٢',
      '78702\n78703',
      '787%2',
    ]
    await checkRows(zips, JSON.stringify, async (zip_code) => {
      expect((await refused(formText({ zip_code }))).fields).toEqual({
        zip_code: 'Please enter a valid 5-digit zip code',
      })
    })
  })
})

describe('fields that nobody asked for', () => {
  it('are ignored and never stored', async () => {
    const extra = {
      id: 4242,
      provider_id: 1,
      crm_sync_status: 'success',
      acceptance_ip: '6.6.6.6',
      match_kind: 'staff',
      request_hash: 'x',
      created_at: '1999-01-01T00:00:00Z',
      constructor: { prototype: { isAdmin: true } },
      'first_name; drop table leads': 'c4n4ry',
      treatment: 'c4n4ry',
    }
    const { status, body } = await api.call('POST', '/api/leads', { ...leadForm(), ...extra })

    expect(status).toBe(201)
    const lead = await database.db('leads').first()
    expect(lead?.id).not.toBe(4242)
    expect(lead).toMatchObject({
      reference: String(body.id),
      provider_id: null,
      crm_sync_status: 'pending',
      acceptance_ip: null,
      match_kind: null,
    })
    expect(lead?.created_at.getFullYear()).toBeGreaterThan(1999)
    expect(JSON.stringify([lead, await database.db('consents'), await database.db('jobs')])).not.toContain('c4n4ry')
  })
})
