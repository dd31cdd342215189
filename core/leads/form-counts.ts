import type { HeldReason } from '../contract/forms.ts'
import { HOUR, MINUTE } from '../time.ts'

type Decided = { clinic: number | null; reason: HeldReason | null; decidedAt: number }

/** Counts the forms that each network has sent within an hour, and takes forms of one kind one after the other. */
export type FormCounts = ReturnType<typeof createFormCounts>

/** Makes counts that this process keeps in memory only, so that no address is stored for them. */
export function createFormCounts(now = Date.now) {
  /** The times of the forms of a network. The network with the newest form is the last. */
  const timesOf = new Map<string, number[]>()
  /** Those of the last minute, the newest last. */
  let decided: Decided[] = []
  const turns = new Map<string, Promise<unknown>>()

  const recent = (network: string) => (timesOf.get(network) ?? []).filter((time) => time > now() - HOUR)

  return {
    /** Returns the number of forms of a network. */
    read: (network: string | null): number => (network === null ? 0 : recent(network).length),

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

    /** Notes what was decided about a lead. Returns the function that notes its end: a lead that was not stored counts no more. */
    decide(lead: {
      network: string | null
      clinic: number | null
      reason: HeldReason | null
    }): (isNew: boolean) => void {
      const entry = { ...lead, decidedAt: performance.now() }
      decided.push(entry)
      if ((decided[0]?.decidedAt ?? 0) < entry.decidedAt - 2 * MINUTE)
        decided = this.decidedSince(entry.decidedAt - MINUTE)
      this.add(lead.network)
      return (isNew) => {
        if (!isNew) decided = decided.filter((other) => other !== entry)
        if (!isNew && lead.network !== null) timesOf.get(lead.network)?.pop()
      }
    },

    /** Lists the leads that were decided on since a moment (`performance.now()`), so that what was read then does not count them. */
    decidedSince(moment: number): Decided[] {
      return decided.slice(1 + decided.findLastIndex(({ decidedAt }) => decidedAt < moment))
    },

    /** Runs `take` after all others of the same key, so that each counts those before it. */
    inTurn<Taken>(key: string, take: () => Promise<Taken>): Promise<Taken> {
      const taken = (turns.get(key) ?? Promise.resolve()).then(take)
      const ended = taken.catch(() => {}).then(() => void (turns.get(key) === ended && turns.delete(key)))
      turns.set(key, ended)
      return taken
    },
  }
}
