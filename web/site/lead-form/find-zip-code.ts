import { getZipCode, type ZipCodePlace } from '../../../core/contract/zip-codes.ts'
import { call } from '../../lib/call.ts'
import { HttpError } from '../../lib/http.ts'
import { queryClient } from '../../lib/query-client.ts'
import { SECOND } from '../../lib/time.ts'

/** A visitor waits for the answer, and goes on without it. */
const TIMEOUT = 3 * SECOND

/** A zip code's place; null if it is not known; undefined if that could not be found out. Asks once for each zip code. */
export function findZipCode(zip: string): Promise<ZipCodePlace | null | undefined> {
  return queryClient.fetchQuery({ queryKey: ['zip-codes', zip], queryFn: () => ask(zip) }).catch(() => undefined)
}

async function ask(zip: string): Promise<ZipCodePlace | null> {
  try {
    return await call(getZipCode, { params: { zip }, timeout: TIMEOUT })
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null
    throw error
  }
}
