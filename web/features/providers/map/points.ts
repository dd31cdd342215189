import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod'
import { PackedPoints, type ProviderPoint, unpackPoints } from '../../../../core/contract/provider-points.ts'
import { PublicProvider } from '../../../../core/contract/providers.ts'
import { ZipCodePlace } from '../../../../core/contract/zip-codes.ts'
import { call } from '../../../lib/http.ts'
import { endpoints } from '../../../paths.ts'

const Providers = z.array(PublicProvider)

async function listPoints(status: 'active' | 'inactive'): Promise<ProviderPoint[]> {
  try {
    return unpackPoints(await call(endpoints.providerPoints(status), { answer: PackedPoints }))
  } catch (cause) {
    throw new Error(`Failed to fetch ${status} providers`, { cause })
  }
}

function pointsQuery(status: 'active' | 'inactive') {
  // Thousands that never change need not be compared.
  return { queryKey: ['providers', 'points', status], queryFn: () => listPoints(status), structuralSharing: false }
}

/** Where all providers are. One list may fail and the other be there: then what is known is shown, and what failed said. */
export function usePoints() {
  const active = useQuery(pointsQuery('active'))
  const inactive = useQuery(pointsQuery('inactive'))
  const points = useMemo(() => [...(active.data ?? []), ...(inactive.data ?? [])], [active.data, inactive.data])
  const lists = [active, inactive]

  return {
    points,
    isPending: lists.some(({ isPending }) => isPending),
    errors: lists.flatMap(({ error }) => error?.message ?? []),
    retry() {
      for (const list of lists) if (list.isError) list.refetch()
    },
  }
}

/** Some providers in full, in the order of their ids in the list. What is shown stays until the next are there. */
export function useProvidersById(ids: number[]) {
  return useQuery({
    queryKey: ['providers', 'some', ids],
    queryFn: () => call(endpoints.someProviders(ids), { answer: Providers }),
    enabled: ids.length > 0,
    placeholderData: (before) => before,
  })
}

/** @throws HttpError 404 for a zip that nobody has, 422 for what is no zip at all */
export function findZipCode(zip: string): Promise<ZipCodePlace> {
  return call(endpoints.zipCode(zip), { answer: ZipCodePlace })
}
