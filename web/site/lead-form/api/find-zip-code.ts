import { ZipCodePlace } from '../../../../core/contract/zip-codes.ts'
import { call, HttpError } from '../../../lib/http.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { SECOND } from '../../../lib/time.ts'
import { endpoints } from '../../../paths.ts'

/** A visitor waits for the answer, and goes on without it. */
const DEADLINE = 3 * SECOND

/** A zip code's place; null if it is not known; undefined if that could not be found out. Asks once for each zip code. */
export function findZipCode(zip: string): Promise<ZipCodePlace | null | undefined> {
  return queryClient.fetchQuery({ queryKey: ['zip-codes', zip], queryFn: () => ask(zip) }).catch(() => undefined)
}

async function ask(zip: string): Promise<ZipCodePlace | null> {
  try {
    return await call(endpoints.zipCode(zip), { answer: ZipCodePlace, deadline: DEADLINE })
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null
    throw error
  }
}
