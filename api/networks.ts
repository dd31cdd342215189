import { isIPv6 } from 'node:net'

/**
 * The networks that an address belongs to, the smallest first: an IPv4 address by itself; of an IPv6 address its /64, which
 * is the least that a customer holds (RFC 4291, 2.5.4), /56 and /48, which is the most (RFC 6177, 2).
 */
export function networksOf(ip: string): string[] {
  if (ip.startsWith('::ffff:')) return [ip.slice('::ffff:'.length)]
  if (!isIPv6(ip)) return [ip]

  const [head = '', tail] = ip.split('::')
  const groups = head ? head.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - groups.length - (tail ? tail.split(':').length : 0)
  const [a = 0, b = 0, c = 0, d = 0] = [
    ...groups,
    ...Array(Math.max(0, zeros)).fill('0'),
    ...(tail ? tail.split(':') : []),
  ].map((group) => Number.parseInt(group, 16))
  const named = (...numbers: number[]) => numbers.map((number) => number.toString(16)).join(':')
  return [named(a, b, c, d), `${named(a, b, c, d & 0xff00)}/56`, `${named(a, b, c)}/48`]
}

/** The smallest network of an address, which counts as one visitor. */
export function addressKey(ip: string): string {
  return networksOf(ip)[0] ?? ip
}
