import { useCallback, useEffect, useState } from 'react'
import type { Place } from '../../../core/contract/places.ts'

/** What a screen reader says while the browser looks for the visitor's location. */
export const LOOKING = 'Looking for your location...'

/** Asks the browser for the visitor's location. Errors are only logged, because the map works without it. */
export function useOwnPlace(onFound: (place: Place) => void, enableHighAccuracy = false) {
  const [isAsking, setAsking] = useState(false)

  const ask = useCallback(() => {
    // Undefined on an insecure origin.
    if (!navigator.geolocation) return console.info('No location: this browser does not tell')
    setAsking(true)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setAsking(false)
        onFound({ latitude: coords.latitude, longitude: coords.longitude })
      },
      (error) => {
        setAsking(false)
        console.info(`No location: ${error.message}`)
      },
      { enableHighAccuracy, timeout: 15_000, maximumAge: 300_000 },
    )
  }, [onFound, enableHighAccuracy])

  return { ask, isAsking }
}

/** Calls back if the visitor has already allowed this site to read the location. Asks nothing without a function. */
export function useIfLocationAllowed(then?: () => void): void {
  const [wanted] = useState(() => then)
  useEffect(() => {
    if (!wanted) return
    navigator.permissions
      ?.query({ name: 'geolocation' })
      .then(({ state }) => state === 'granted' && wanted())
      .catch(() => {})
  }, [wanted])
}
