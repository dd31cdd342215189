import type { KnownProvider, PostedProvider, SyncedFields } from './sync-plan.ts'

/** What a post wants its provider to be, or why it cannot be so. */
export type Wish = { post: PostedProvider; provider?: KnownProvider; fields: SyncedFields; refusal?: string }

/** Refuses a domain that another provider has: a domain leads to one provider. A refused post keeps its old domain, which may refuse another post, so this repeats until nothing changes. */
export function refuseTakenDomains(wishes: Wish[], known: KnownProvider[], foreignDomains: string[]): void {
  for (let isSettled = false; !isSettled; ) {
    isSettled = true
    const moving = wishes.filter(({ fields, provider, refusal }) => {
      return refusal === undefined && fields.domain !== null && fields.domain !== provider?.domain?.toLowerCase()
    })
    const leaving = new Set(wishes.filter(leavesDomain).map(({ provider }) => provider))
    const staying = known.filter((provider) => !leaving.has(provider)).map(({ domain }) => domain?.toLowerCase())
    const taken = new Set([...foreignDomains, ...staying])
    for (const wish of moving) {
      const { domain } = wish.fields
      if (taken.has(domain as string)) {
        wish.refusal = `The domain ${domain} belongs to another provider.`
        isSettled = false
      }
      taken.add(domain as string)
    }
  }
}

function leavesDomain({ fields, provider, refusal }: Wish): boolean {
  return refusal === undefined && provider !== undefined && fields.domain !== provider.domain?.toLowerCase()
}
