import { describe, expect, it } from 'vitest'
import { deriveKey, keyedHash } from '../../../../core/platform/data-key.ts'
import { personHashes } from '../../../../core/privacy/rules/opt-outs.ts'

const KEY = deriveKey(Buffer.alloc(32, 1), 'person-hash')
const hashOf = (contact: { email?: string; phone?: string }) => personHashes(KEY, contact).map(({ hash }) => hash)

describe('personHashes', () => {
  it('knows an e-mail and a phone however they are typed', () => {
    expect(hashOf({ email: ' Ada@Example.com ', phone: '+1 (512) 555-0100' })).toEqual(
      hashOf({ email: 'ada@example.com', phone: '5125550100' }),
    )
  })

  it('tells other people, kinds and keys apart', () => {
    const known = hashOf({ email: 'ada@example.com', phone: '5125550100' })
    expect(known).not.toContain(hashOf({ email: 'bob@example.com' })[0])
    expect(known).not.toContain(hashOf({ phone: '5125550101' })[0])
    expect(hashOf({ email: '5125550100' })).not.toEqual(hashOf({ phone: '5125550100' }))
    expect(personHashes(Buffer.alloc(32, 2), { email: 'ada@example.com' })[0]?.hash).not.toBe(known[0])
  })

  it('knows a mailbox by each of its spellings, and by the address that earlier versions hashed', () => {
    const [typed, mailbox] = hashOf({ email: 'A.Da+x@googlemail.com' })
    expect(hashOf({ email: 'ada@gmail.com' })).toEqual([mailbox])
    expect(hashOf({ email: 'ad.a@gmail.com' })[1]).toBe(mailbox)
    expect(keyedHash(KEY, 'email a.da+x@googlemail.com')).toBe(typed)
  })

  it('leaves out what is missing, and a phone that different people type', () => {
    expect(personHashes(KEY, { email: 'ada@example.com', phone: 'call me' }).map(({ kind }) => kind)).toEqual(['email'])
    expect(personHashes(KEY, { phone: '123456' })).toEqual([])
    expect(personHashes(KEY, { phone: '1234567' }).map(({ kind }) => kind)).toEqual(['phone'])
    expect(personHashes(KEY, {})).toEqual([])
  })
})
