import { usePageData } from '../../lib/page-data.ts'
import { useHydrated } from '../../lib/use-hydrated.ts'

/**
 * Shows the date of the policy's last change. Without one it shows today's date, which prerendered HTML cannot contain.
 */
export function LastUpdated({ day, className }: { day?: string; className?: string }) {
  const isHydrated = useHydrated()
  const { timeZone } = usePageData()
  const today = () => new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(new Date())
  return (
    <p className={className} data-live={day ? undefined : ''}>
      Last updated: {day ?? (isHydrated ? today() : 'today')}
    </p>
  )
}
