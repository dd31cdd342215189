import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { InputOf } from '../../core/contract/call.ts'
import { SECOND } from '../../core/contract/time.ts'
import {
  type Bulk,
  type BulkProgress,
  type BulkPurpose,
  type BulkReport,
  changeLeads,
  listBulk,
  readBulk,
} from '../../core/staff/contract/bulk.ts'
import { call } from '../lib/call.ts'
import { HttpError } from '../lib/http.ts'
import { formatCount } from '../lib/numbers.ts'

const keyOf = (id: string) => ['bulk', 'details', id]

/** Applies an action to many leads and follows it to its end. @throws what `call` and `followBulk` throw */
export async function runBulk(
  client: QueryClient,
  body: InputOf<typeof changeLeads>['body'],
  onProgress?: (progress: BulkProgress) => void,
): Promise<BulkReport & { ids?: number[] }> {
  const { id, ids } = await call(changeLeads, { body })
  return { ...(await followBulk(client, id, onProgress)), ids }
}

/** Returns the leads that an action changed, to undo it. Undefined where not every failure is named. */
export function changedIds(ids: number[], { failed, failures }: BulkReport): number[] | undefined {
  const lost = new Set(failures.map(({ lead_id }) => lead_id))
  return failed === failures.length ? ids.filter((id) => !lost.has(id)) : undefined
}

export const resultWords = ({ succeeded, failed, waiting }: BulkReport) =>
  `${formatCount(succeeded)} delivered, ${formatCount(failed)} refused, ${formatCount(waiting)} waiting`

const POLL_INTERVAL = SECOND / 2
const GIVEN_UP = 'Something went wrong on our side. Some of it may have been done. Please check.'

/** Follows a bulk action to its end, through outages. @throws HttpError if it is refused, Error if it was given up */
export async function followBulk(
  client: QueryClient,
  id: string,
  onProgress?: (progress: BulkProgress) => void,
): Promise<BulkReport> {
  for (;;) {
    const { progress, report, state } = await client.fetchQuery({
      queryKey: keyOf(id),
      queryFn: () => call(readBulk, { params: { id } }),
      staleTime: 0,
      retry: (_, error) => !(error instanceof HttpError && error.status < 500),
    })
    onProgress?.(progress)
    if (report) return report
    if (state === 'failed') throw new Error(GIVEN_UP)
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL))
  }
}

type Resume = {
  of: readonly BulkPurpose[]
  enabled: boolean
  resume: (bulk: Bulk) => void
}

/** Resumes the display of a bulk action that runs, after a reload. */
export function useRunningBulk({ of, enabled, resume }: Resume) {
  const client = useQueryClient()
  const { data } = useQuery({ queryKey: ['bulk', 'running'], queryFn: () => call(listBulk), enabled })
  useEffect(() => {
    if (!enabled) return
    // This page follows, or has followed, those whose state it knows.
    const found = data?.running.find(({ id, action }) => of.includes(action) && !client.getQueryState(keyOf(id)))
    if (found) resume(found)
  }, [client, data, enabled, of, resume])
}
