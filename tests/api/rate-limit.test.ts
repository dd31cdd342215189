import { describe, expect, it } from 'vitest'
import { addressKey } from '../../api/middleware/proxy.ts'

describe('addressKey', () => {
  it('counts an IPv4 address alone', () => {
    expect(addressKey('198.51.100.9')).not.toBe(addressKey('198.51.100.10'))
  })

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:aaaa:bbbb:cccc:dddd'],
    ['2001:db8:1:2::1', '2001:0db8:0001:0002::ffff'],
    ['2001:db8::1', '2001:db8::2'],
    ['2001:db8::1', '2001:db8::a:b:c:d'],
    ['2001:db8:0:0::1', '2001:db8::2'],
    ['::1', '::2'],
  ])('counts a whole IPv6 /64 as one: %s and %s', (one, other) => {
    expect(addressKey(one)).toBe(addressKey(other))
  })

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['2001:db8::1', '2001:db8:0:1::1'],
    ['2001:db8::1', '2001:db9::1'],
    ['::ffff:198.51.100.9', '::ffff:198.51.100.10'],
  ])('tells %s from %s', (one, other) => {
    expect(addressKey(one)).not.toBe(addressKey(other))
  })

  it('counts an IPv4 address the same in its IPv6 clothes', () => {
    expect(addressKey('::ffff:198.51.100.9')).toBe(addressKey('198.51.100.9'))
  })

  it.each(['', 'unknown', '198.51.100.9:4711', 'fe80::1%eth0'])('takes what a proxy makes of it (%j)', (address) => {
    expect(typeof addressKey(address)).toBe('string')
  })
})
