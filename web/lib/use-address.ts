import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'

type Options = {
  /** Whether going back skips the address that is left. */
  replace?: boolean
}
/** New values by their names: what is undefined or empty is left out of the address. */
type Values = Record<string, string | number | undefined>

/**
 * The query of the page's address, where everything is kept that is chosen on the page, and a function that changes some
 * of it. The change starts from the browser's address: React renders it later, and two changes may come in between.
 */
export function useAddress() {
  const [address, setAddress] = useSearchParams()
  const change = useCallback(
    (values: Values | ((now: URLSearchParams) => URLSearchParams), options?: Options) => {
      const now = new URLSearchParams(window.location.search)
      const next = typeof values === 'function' ? values(now) : withValues(now, values)
      setAddress(next, { preventScrollReset: true, ...options })
    },
    [setAddress],
  )
  return { address, change }
}

/** Returns the query with these values. */
export function withValues(query: URLSearchParams, values: Values): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, String(value))
  }
  return next
}
