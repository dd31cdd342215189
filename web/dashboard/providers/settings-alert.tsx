import { useSettings } from '../../lib/settings.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'

/** Says that the settings could not be loaded, and what is missing without them. */
export function SettingsAlert() {
  const { error, isFetching, refetch } = useSettings()
  if (!error) return null
  return (
    <Alert title="Failed to load settings">
      <p>
        {error.message || 'The server is not responding.'} Links to WordPress and the streets of the map are missing.
      </p>
      <Button variant="outline" size="small" busy={isFetching} onClick={() => refetch()} className="mt-2">
        Try again
      </Button>
    </Alert>
  )
}
