import { isIPv6 } from 'node:net'

/**
 * Lists the networks of an address, the smallest first. An IPv4 address is its own network. An IPv6 address has its /64,
 * the smallest that a customer holds (RFC 4291, 2.5.4), /56, and /48, the largest (RFC 6177, 2).
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

/** Returns the smallest network of an address, which counts as one visitor. */
export function addressKey(ip: string): string {
  return networksOf(ip)[0] ?? ip
}

/**
 * Returns the network whose forms are counted: an IPv4 address, or an IPv6 /48, the largest that one customer holds. Returns
 * null for an unknown address and for this machine, which is a proxy that hides its visitors, or the operator who tries the
 * product.
 */
export function networkOf(ip: string | null): string | null {
  const network = ip ? networksOf(ip).at(-1) : undefined
  return network === undefined || ip === '::1' || network.startsWith('127.') ? null : network
}
