import { useCallback, useEffect, useState } from 'react'
import type { Place } from '../../lib/distance.ts'

/**
 * Where the visitor is. A browser that has been allowed to say so before says it by itself; else `ask` lets it ask. What
 * goes wrong is only logged: the map is as useful without.
 */
export function useOwnPlace(onFound: (place: Place) => void, { accurate = false } = {}) {
  const [isAsking, setAsking] = useState(false)

  const ask = useCallback(() => {
    // Missing where the page is not on a secure origin.
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
      { enableHighAccuracy: accurate, timeout: 15_000, maximumAge: 300_000 },
    )
  }, [onFound, accurate])

  return { ask, isAsking }
}

/** Calls back if the visitor has already allowed this site to know where they are. */
export function useIfLocationAllowed(then: () => void): void {
  useEffect(() => {
    navigator.permissions
      ?.query({ name: 'geolocation' })
      .then(({ state }) => state === 'granted' && then())
      .catch(() => {})
  }, [then])
}
