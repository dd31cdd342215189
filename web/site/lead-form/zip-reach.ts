import { useEffect, useState } from 'react'
import { ZipCode } from '../../../core/contract/forms.ts'
import { getZipReach, type ZipReach } from '../../../core/contract/places.ts'
import { call } from '../../lib/call.ts'
import { milesInWords } from '../../lib/distance.ts'
import { HttpError } from '../../lib/http.ts'
import { usePageData } from '../../lib/page-data.ts'
import { queryClient } from '../../lib/query-provider.tsx'
import { formatCount } from '../../lib/text.ts'
import { MINUTE, SECOND } from '../../lib/time.ts'

/** What a zip code comes to: null if it is unknown, undefined if that is not known. */
type Reach = ZipReach | null | undefined

/** The visitor goes on without an answer after this time. */
const TIMEOUT = 3 * SECOND

/**
 * Asks what a zip code comes to: for the clinic of the page if there is one, otherwise for any. Sends one request for each
 * zip code in a minute. Never rejects.
 */
export function findZipReach(zip: string, providerId: number | undefined): Promise<Reach> {
  return queryClient
    .fetchQuery({ queryKey: ['zip-reach', zip, providerId], queryFn: () => ask(zip, providerId), staleTime: MINUTE })
    .catch(() => undefined)
}

async function ask(zip: string, providerId: number | undefined): Promise<ZipReach | null> {
  try {
    return await call(getZipReach, { params: { zip }, query: { providerId }, timeout: TIMEOUT })
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null
    throw error
  }
}

/** Returns the answer to a zip code in words, as soon as it is complete; empty while there is none. */
export function useZipAnswer(zip: string | undefined, providerId: number | undefined): string {
  return reachInWords(useZipReach(zip, providerId), providerId !== undefined)
}

/** Returns what a zip code comes to. The server may have sent it along with the page. */
function useZipReach(zip: string | undefined, providerId: number | undefined): Reach {
  const { zipReach } = usePageData()
  const [found, setFound] = useState<{ zip: string; reach: Reach }>()
  const sent = zipReach && zipReach.zip === zip && zipReach.providerId === providerId ? zipReach : undefined

  useEffect(() => {
    if (sent || zip === undefined || !ZipCode.safeParse(zip).success) return
    let isCurrent = true
    findZipReach(zip, providerId).then((reach) => isCurrent && setFound({ zip, reach }))
    return () => {
      isCurrent = false
    }
  }, [zip, providerId, sent])

  if (sent) return sent.reach
  if (zip !== undefined && isUnassigned(zip)) return null
  return found?.zip === zip ? found?.reach : undefined
}

/** Returns whether five digits can be no zip code, such as 00000. The server is not asked about those. */
function isUnassigned(zip: string): boolean {
  return /^\d{5}$/.test(zip) && !ZipCode.safeParse(zip).success
}

export const UNKNOWN_ZIP = 'We do not know this zip code. Please check it.'

/** @param isOfClinic whether it is about the clinic of the page */
export function reachInWords(reach: Reach, isOfClinic: boolean): string {
  if (reach === undefined) return ''
  if (reach === null) return UNKNOWN_ZIP
  const { city, state } = reach
  const place = city && state ? `${city}, ${state}` : ''
  return [place, isOfClinic ? chosenInWords(reach) : nearestInWords(reach)].filter(Boolean).join(' · ')
}

function nearestInWords({ inReach, miles, noneWithinMiles }: ZipReach): string {
  if (inReach) return `certified clinic ${miles === null ? 'near you' : awayInWords(miles)}`
  return noneWithinMiles === null
    ? 'No clinic near you takes new requests now; leave your details and we keep looking'
    : `No clinic within ${formatCount(noneWithinMiles)} miles yet; leave your details and we keep looking`
}

/** A clinic that takes no requests now is not named as near: the visitor's request may go to another one. */
function chosenInWords({ inReach, miles }: ZipReach): string {
  return inReach && miles !== null ? `this clinic is ${awayInWords(miles)}` : ''
}

function awayInWords(miles: number): string {
  return miles < 1 ? 'less than a mile away' : `about ${milesInWords(miles)} away`
}
