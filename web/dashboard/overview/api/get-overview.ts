import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Overview } from '../../../../core/contract/overview.ts'
import { call } from '../../../lib/http.ts'
import { staffEndpoints } from '../../../paths.ts'
import { daysOf, type Period } from '../period.ts'

export function getOverview(period: Period): Promise<Overview> {
  return call(staffEndpoints.overview(daysOf(period)), { answer: Overview })
}

/** What was asked for before stays in sight while another period is loaded. */
export function overviewQuery(period: Period) {
  return queryOptions({
    queryKey: ['overview', period],
    queryFn: () => getOverview(period),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
}

export function useOverview(period: Period) {
  return useQuery(overviewQuery(period))
}
