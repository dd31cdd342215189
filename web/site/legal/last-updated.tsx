import { usePageData } from '../../lib/page-data.ts'
import { useHydrated } from '../../lib/use-hydrated.ts'

/** When the policy last changed. One without a date of its own says today's, which the page's HTML, made once, cannot. */
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
