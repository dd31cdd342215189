import { useHydrated } from './use-hydrated.ts'

/**
 * The attributes of a form that is a plain one until its code is there: then our own messages replace the browser's.
 * `holdEarlyClicks` knows it by them.
 */
export function usePlainForm() {
  const isHydrated = useHydrated()
  return { noValidate: isHydrated, 'data-plain': isHydrated ? undefined : '' }
}
