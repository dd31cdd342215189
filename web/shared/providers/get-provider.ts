import { queryOptions } from '@tanstack/react-query'
import { getProvider, getProviderOfHost, MicrositeProvider } from '../../../core/providers/contract/providers.ts'
import { call } from '../../lib/call.ts'
import type { Wanted } from '../../lib/page-data.ts'

export function providerQuery(wanted: Wanted) {
  return queryOptions({
    queryKey: ['providers', wanted],
    queryFn: () =>
      'id' in wanted
        ? call(getProvider, { params: { providerId: wanted.id }, output: MicrositeProvider })
        : call(getProviderOfHost, { params: wanted, output: MicrositeProvider }),
  })
}
