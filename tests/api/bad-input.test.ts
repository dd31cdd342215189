import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api-server.ts'
import { leadForm } from '../support/factories.ts'
import { rawRequest } from '../support/raw-http.ts'
import { expectLeadRefused, formText, JSON_TYPE } from '../support/refusals.ts'
import { checkRows } from '../support/rows.ts'

const { api, database } = useApi()

const refused = (body: string | Buffer, headers: Record<string, string> = JSON_TYPE) =>
  expectLeadRefused({ url: api.url, db: database.db }, body, headers)

describe('a body that is no form', () => {
  it('is refused', async () => {
    const bodies = [
      ['an unfinished object', '{"first_name": "Jordan"'],
      ['a trailing comma', '{"first_name": "Jordan",}'],
      ['single quotes', "{'first_name': 'Jordan'}"],
      ['plain words', 'hello'],
      ['a raw line break in a text', '{"first_name": "Jor\ndan"}'],
      ['a raw NUL', '{"first_name": "\u0000"}'],
      ['null', 'null'],
      ['a number', '42'],
      ['a text', '"Jordan"'],
      ['true', 'true'],
      ['nothing but spaces', '   '],
      ['two objects', '{}{}'],
      ['a list', '[]'],
      ['a list with a form in it', `[${formText()}]`],
    ] as const
    await checkRows(
      bodies,
      ([what]) => what,
      async ([, body]) => {
        expect((await refused(body)).status).toBe(400)
      },
    )
  })

  it('is refused when there is nothing at all', async () => {
    await checkRows(['', '\ufeff'], JSON.stringify, async (body) => {
      const { status, fields } = await refused(body)
      expect(status).toBe(422)
      expect(fields).toHaveProperty('first_name')
    })
  })

  it('is refused: an empty object, with every field that is missing', async () => {
    const { status, fields } = await refused('{}')
    expect(status).toBe(422)
    expect(Object.keys(fields ?? {}).toSorted()).toEqual([
      'acceptance_consent',
      'email',
      'first_name',
      'last_name',
      'phone',
      'zip_code',
    ])
  })

  it('is refused as too large', async () => {
    const bodies = [
      ['40 KB', formText({ acceptance_message: 'x'.repeat(40_000) })],
      ['40 KB of unknown fields', formText({ other: 'x'.repeat(40_000) })],
      ['33 KB of spaces', `${' '.repeat(33_000)}${formText()}`],
    ] as const
    await checkRows(
      bodies,
      ([what]) => what,
      async ([, body]) => {
        const { status, code } = await refused(body)
        expect({ status, code }).toEqual({ status: 413, code: 'too_large' })
      },
    )
  })

  it('is refused as too large: a small one that unpacks to a megabyte', async () => {
    const body = gzipSync(formText({ acceptance_message: 'x'.repeat(1_000_000) }))
    expect(body.length).toBeLessThan(10_000)
    expect((await refused(body, { ...JSON_TYPE, 'content-encoding': 'gzip' })).status).toBe(413)
  })

  it('is refused as not JSON', async () => {
    const bodies = [
      ['text', 'text/plain', formText()],
      ['an upload', 'multipart/form-data; boundary=x', '--x--'],
      ['XML', 'application/xml', '<lead/>'],
      ['nonsense', 'nonsense', formText()],
      ['a body without a type', '', formText()],
      ...['utf-16', 'utf-7', 'latin1', 'nonsense'].map((charset) => [
        charset,
        `application/json; charset=${charset}`,
        formText(),
      ]),
    ]
    await checkRows(
      bodies,
      ([what]) => String(what),
      async ([, type = '', body = '']) => {
        const { status, code } = await refused(body, type ? { 'content-type': type } : {})
        expect({ status, code }).toEqual({ status: 415, code: 'unsupported_media_type' })
      },
    )
  })

  it('is refused as not JSON: a form, at a call that takes none', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await api.call('POST', '/api/session', 'password=x', headers)).status).toBe(415)
  })

  it('is refused when its bytes are not UTF-8', async () => {
    expect((await refused(Buffer.from(formText({ first_name: 'Zoë' }), 'latin1'))).fields).toHaveProperty('first_name')
  })

  it('is refused when it cannot be unpacked', async () => {
    const bodies = [
      ['an unknown packing', 'zstd-nonsense', Buffer.from(formText()), 415],
      ['a broken packing', 'gzip', Buffer.from('not gzip at all'), 400],
      ['half a packing', 'gzip', gzipSync(formText()).subarray(0, 30), 400],
    ] as const
    await checkRows(
      bodies,
      ([what]) => what,
      async ([, encoding, body, expected]) => {
        expect((await refused(body, { ...JSON_TYPE, 'content-encoding': encoding })).status).toBe(expected)
      },
    )
  })

  it('is refused when it reaches for prototypes', async () => {
    await refused(`{"__proto__": {"acceptance_consent": true}, "first_name": "Jordan"}`)
    await refused(formText().replace('{', '{"__proto__": {"isAdmin": true},'))
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
  })

  it('is refused when it is nested 15,000 deep', async () => {
    await refused(`${'['.repeat(15_000)}${']'.repeat(15_000)}`)
    await refused(`{"first_name":${'['.repeat(15_000)}${']'.repeat(15_000)}}`)
  })

  it('is refused when a field only pretends to be a text', async () => {
    await refused(formText({ first_name: { length: { valueOf: null, toString: null } } }))
    await refused(formText({ first_name: { length: 5, trim: 1, toString: null } }))
  })
})

describe('the Idempotency-Key', () => {
  it('is refused when it is no key', async () => {
    const keys = [
      ['a space', 'one two'],
      ['201 characters', 'x'.repeat(201)],
      ['an umlaut', 'schlüssel'],
      ['a tab', 'one\ttwo'],
    ] as const
    await checkRows(
      keys,
      ([what]) => what,
      async ([, key]) => {
        const { status, error } = await refused(formText(), { ...JSON_TYPE, 'idempotency-key': key })
        expect({ status, error }).toEqual({ status: 422, error: expect.stringContaining('Idempotency-Key') })
      },
    )
  })

  it('counts as absent when it is empty', async () => {
    expect((await api.call('POST', '/api/leads', leadForm(), { 'idempotency-key': '' })).status).toBe(201)
  })
})

describe('headers of the visit', () => {
  it('never cost a lead, whatever they hold', async () => {
    const headers = { 'user-agent': '\u00e9'.repeat(3000), referer: `https://x.example/${'\u00ff'.repeat(3000)}` }
    expect(
      (
        await rawRequest(api.url, {
          method: 'POST',
          path: '/api/leads',
          body: formText(),
          headers: { ...JSON_TYPE, ...headers },
        })
      ).status,
    ).toBe(201)
    const consent = await database.db('consents').first()
    expect(consent?.user_agent?.length).toBeLessThanOrEqual(500)
    expect(consent?.page_url?.length).toBeLessThanOrEqual(1000)
  })
})
