import { useEffect, useState } from 'react'
import { ZipCode } from '../../../core/contract/forms.ts'
import { findZipCode } from './find-zip-code.ts'

/** The name of the place of a zip code, such as "Austin, TX", once it is known; undefined for a text that is none. */
export function useZipPlace(zip = ''): string | undefined {
  const [found, setFound] = useState<{ zip: string; name?: string }>()

  useEffect(() => {
    if (!ZipCode.safeParse(zip).success) return
    let isCurrent = true
    findZipCode(zip).then((place) => {
      const name = place?.city && place.state ? `${place.city}, ${place.state}` : undefined
      if (isCurrent) setFound({ zip, name })
    })
    return () => {
      isCurrent = false
    }
  }, [zip])

  return found?.zip === zip ? found?.name : undefined
}
