import { getZipCode, type ZipCodePlace } from '../../../core/contract/zip-codes.ts'
import { call } from '../../lib/call.ts'
import { HttpError } from '../../lib/http.ts'
import { queryClient } from '../../lib/query-client.ts'
import { SECOND } from '../../lib/time.ts'

/** The visitor goes on without an answer after this time. */
const TIMEOUT = 3 * SECOND

/**
 * Returns the place of a zip code; null if the zip code is unknown; undefined if the lookup failed. Sends one request
 * for each zip code.
 */
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
