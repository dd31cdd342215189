import { useHydrated } from '../../lib/use-hydrated.ts'

const AMERICAN_DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' })

/** When the policy last changed. One without a date of its own says today's, which only the browser knows. */
export function LastUpdated({ day, className }: { day?: string; className?: string }) {
  const isHydrated = useHydrated()
  return (
    <p className={className} data-live={day ? undefined : ''}>
      Last updated: {day ?? (isHydrated ? AMERICAN_DAY.format(new Date()) : 'today')}
    </p>
  )
}
