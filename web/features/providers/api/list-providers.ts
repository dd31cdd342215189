import { queryOptions, useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { PublicProvider } from '../../../../core/contract/providers.ts'
import { call } from '../../../lib/http.ts'
import { endpoints } from '../../../paths.ts'

const Providers = z.array(PublicProvider)

/** Every provider: the active ones first, then the inactive ones. */
export async function listProviders(): Promise<PublicProvider[]> {
  const [active, inactive] = await Promise.all([
    call(endpoints.activeProviders, { answer: Providers }),
    call(endpoints.inactiveProviders, { answer: Providers }),
  ])
  return [...active, ...inactive]
}

export const providersQuery = queryOptions({ queryKey: ['providers', 'all'], queryFn: listProviders })

export function useProviders() {
  return useQuery(providersQuery)
}
