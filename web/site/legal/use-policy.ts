import { useEffect, useState } from 'react'
import { loadOrRetry } from '../../lib/load-or-retry.ts'
import { type PolicyName, policies } from './policies.ts'
import type { Policy } from './policy.ts'

/** The policy's text: undefined while it is on its way, null if it could not be fetched. */
export function usePolicy(name: PolicyName): Policy | null | undefined {
  const [policy, setPolicy] = useState<Policy | null>()

  useEffect(() => {
    let isWanted = true
    loadOrRetry(policies[name].load).then(
      (text) => isWanted && setPolicy(text),
      () => isWanted && setPolicy(null),
    )
    return () => {
      isWanted = false
    }
  }, [name])

  return policy
}
