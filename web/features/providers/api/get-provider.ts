import { queryOptions, useQuery } from '@tanstack/react-query'
import { PublicProvider } from '../../../../core/contract/providers.ts'
import { call } from '../../../lib/http.ts'
import { endpoints } from '../../../paths.ts'

export function getProvider(id: number): Promise<PublicProvider> {
  return call(endpoints.provider(id), { answer: PublicProvider })
}

export function providerQuery(id: number) {
  return queryOptions({ queryKey: ['providers', id], queryFn: () => getProvider(id) })
}

export function useProvider(id: number) {
  return useQuery(providerQuery(id))
}
