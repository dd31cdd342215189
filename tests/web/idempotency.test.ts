import { afterEach, expect, it, vi } from 'vitest'
import { IdempotencyKey } from '../../core/contract/forms.ts'
import { createIdempotencyKeys } from '../../web/site/idempotency.ts'

afterEach(() => vi.unstubAllGlobals())

it('keeps the key while the content is the same', () => {
  const keyOf = createIdempotencyKeys()
  expect(keyOf({ email: 'a@b.example' })).toBe(keyOf({ email: 'a@b.example' }))
})

it('makes a new key when the content has changed, and for each form', () => {
  const keyOf = createIdempotencyKeys()
  const keys = [
    keyOf({ email: 'a@b.example' }),
    keyOf({ email: 'c@d.example' }),
    createIdempotencyKeys()({ email: 'c@d.example' }),
  ]
  expect(new Set(keys).size).toBe(3)
})

it('makes keys that the API takes, on origins without randomUUID too', () => {
  const withUuid = createIdempotencyKeys()({})
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  const without = createIdempotencyKeys()({})

  expect(IdempotencyKey.parse(withUuid)).toMatch(/^[\da-f-]{36}$/)
  expect(IdempotencyKey.parse(without)).toMatch(/^[\da-f]{32}$/)
})
