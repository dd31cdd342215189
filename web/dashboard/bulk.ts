import { type QueryClient, QueryObserver, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { InputOf } from '../../core/contract/call.ts'
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

/** Applies an action to many leads, and follows it to its end. @throws what `call` and `followBulk` throw */
export async function runBulk(
  client: QueryClient,
  body: InputOf<typeof changeLeads>['body'],
  onProgress?: (progress: BulkProgress) => void,
): Promise<BulkReport> {
  const { id } = await call(changeLeads, { body })
  return followBulk(client, id, onProgress)
}

/** Returns the leads that an action changed, to undo it. Undefined where not every failure is named. */
export function changedIds(ids: number[], { failed, failures }: BulkReport): number[] | undefined {
  const lost = new Set(failures.map(({ lead_id }) => lead_id))
  return failed === failures.length ? ids.filter((id) => !lost.has(id)) : undefined
}

/** Returns, for example, `9 delivered, 4 refused, 0 waiting`. */
export const resultWords = ({ succeeded, failed, waiting }: BulkReport) =>
  `${formatCount(succeeded)} delivered, ${formatCount(failed)} refused, ${formatCount(waiting)} waiting`

/** Tells whether this page follows, or has followed, a bulk action. */
export const isFollowed = (client: QueryClient, id: string) => client.getQueryState(keyOf(id)) !== undefined

/**
 * Follows a bulk action to its end, by the live events about it. Returns its report.
 * @throws HttpError when the server refuses to tell, and Error when the action was given up
 */
export async function followBulk(
  client: QueryClient,
  id: string,
  onProgress?: (progress: BulkProgress) => void,
): Promise<BulkReport> {
  const observer = new QueryObserver(client, {
    queryKey: keyOf(id),
    queryFn: () => call(readBulk, { params: { id } }),
  })
  let unsubscribe = () => {}
  try {
    return await new Promise((resolve, reject) => {
      const onResult = ({ data, error }: { data?: Bulk; error: Error | null }) => {
        // After any other error the next event reads it again.
        if (error instanceof HttpError && error.status < 500) reject(error)
        if (data) onProgress?.(data.progress)
        if (data?.report) resolve(data.report)
        if (data?.state === 'failed') reject(new Error(GIVEN_UP))
      }
      unsubscribe = observer.subscribe(onResult)
      onResult(observer.getCurrentResult())
    })
  } finally {
    unsubscribe()
  }
}

const GIVEN_UP = 'Something went wrong on our side. Some of it may have been done. Please check.'

type Resume = {
  /** The actions to resume. */
  of: readonly BulkPurpose[]
  enabled: boolean
  resume: (bulk: Bulk) => void
}

/** Resumes the display of a bulk action that runs, after a reload or from another tab. */
export function useRunningBulk({ of, enabled, resume }: Resume) {
  const client = useQueryClient()
  const { data } = useQuery({ queryKey: ['bulk', 'running'], queryFn: () => call(listBulk), enabled })
  useEffect(() => {
    if (!enabled) return
    const found = data?.running.find(({ id, action }) => of.includes(action) && !isFollowed(client, id))
    if (found) resume(found)
  }, [client, data, enabled, of, resume])
}
