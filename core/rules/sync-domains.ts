import type { KnownProvider, PostedProvider, SyncedFields } from './sync-plan.ts'

/** The provider as its post describes it. `refusal` says why the post cannot be used. */
export type DesiredProvider = { post: PostedProvider; provider?: KnownProvider; fields: SyncedFields; refusal?: string }

/**
 * Refuses a domain that another provider has: a domain leads to one provider. A refused post keeps its old domain,
 * which may refuse another post, so this repeats until nothing changes.
 */
export function refuseTakenDomains(desired: DesiredProvider[], known: KnownProvider[], foreignDomains: string[]): void {
  for (let isSettled = false; !isSettled; ) {
    isSettled = true
    const moving = desired.filter(({ fields, provider, refusal }) => {
      return refusal === undefined && fields.domain !== null && fields.domain !== provider?.domain?.toLowerCase()
    })
    const leaving = new Set(desired.filter(leavesDomain).map(({ provider }) => provider))
    const staying = known.filter((provider) => !leaving.has(provider)).map(({ domain }) => domain?.toLowerCase())
    const taken = new Set([...foreignDomains, ...staying])
    for (const one of moving) {
      const { domain } = one.fields
      if (taken.has(domain as string)) {
        one.refusal = `The domain ${domain} belongs to another provider.`
        isSettled = false
      }
      taken.add(domain as string)
    }
  }
}

function leavesDomain({ fields, provider, refusal }: DesiredProvider): boolean {
  return refusal === undefined && provider !== undefined && fields.domain !== provider.domain?.toLowerCase()
}
