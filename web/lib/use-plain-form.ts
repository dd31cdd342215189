import { useHydrated } from './use-hydrated.ts'

/**
 * Returns the attributes of a form that the browser checks and submits natively until it is hydrated. `holdEarlyClicks`
 * recognizes such a form by `data-plain`.
 */
export function usePlainForm() {
  const isHydrated = useHydrated()
  return { noValidate: isHydrated, 'data-plain': isHydrated ? undefined : '' }
}
