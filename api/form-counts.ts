import { HOUR } from '../core/time.ts'
import { networksOf } from './networks.ts'

/** Counts the forms that each network has sent within an hour. */
export type FormCounts = ReturnType<typeof createFormCounts>

/**
 * Returns the network whose forms are counted: an IPv4 address, or an IPv6 /48, the largest that one customer holds. Returns
 * null for an unknown address and for this machine, which is a proxy that hides its visitors, or the operator who tries the
 * product.
 */
export function networkOf(ip: string | null): string | null {
  const network = ip ? networksOf(ip).at(-1) : undefined
  return network === undefined || ip === '::1' || network.startsWith('127.') ? null : network
}

/** Makes counts that this process keeps in memory only, so that no address is stored for them. */
export function createFormCounts(now = Date.now) {
  /** The times of the forms of a network. The network with the newest form is the last. */
  const timesOf = new Map<string, number[]>()

  const recent = (network: string) => (timesOf.get(network) ?? []).filter((time) => time > now() - HOUR)

  return {
    /** Reads the counts of several networks. */
    read(networks: (string | null)[]): Map<string, number> {
      const named = networks.filter((network) => network !== null)
      return new Map(named.map((network) => [network, recent(network).length]))
    },

    add(network: string | null): void {
      if (network === null) return
      const times = [...recent(network), now()]
      timesOf.delete(network)
      timesOf.set(network, times)
      for (const [other, others] of timesOf) {
        if ((others.at(-1) ?? 0) > now() - HOUR) break
        timesOf.delete(other)
      }
    },

    /** Takes back the newest form of a network, which was not stored. */
    remove(network: string | null): void {
      if (network !== null) timesOf.get(network)?.pop()
    },
  }
}
