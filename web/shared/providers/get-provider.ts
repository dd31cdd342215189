import { queryOptions } from '@tanstack/react-query'
import { MicrositeProvider } from '../../../core/contract/providers.ts'
import { call } from '../../lib/http.ts'
import type { Wanted } from '../../lib/provider-of-page.ts'
import { endpoints } from '../../paths.ts'

export function getProvider(wanted: Wanted): Promise<MicrositeProvider> {
  const url = 'id' in wanted ? endpoints.provider(wanted.id) : endpoints.providerOfHost(wanted.hostname)
  return call(url, { answer: MicrositeProvider })
}

export function providerQuery(wanted: Wanted) {
  return queryOptions({ queryKey: ['providers', wanted], queryFn: () => getProvider(wanted) })
}
