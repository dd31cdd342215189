import type { ProviderLists } from '../../shared/providers/list-providers.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'

const LISTS = { active: 'Active providers', inactive: 'Inactive providers' }

/** Says which of the lists could not be loaded, and why. */
export function ProvidersAlert({ providers: { failures, isFetching, retry } }: { providers: ProviderLists }) {
  if (failures.length === 0) return null
  return (
    <Alert title="Failed to load providers">
      {failures.map(({ status, message }) => (
        <p key={status}>
          {LISTS[status]}: {message || 'the server is not responding.'}
        </p>
      ))}
      <Button variant="outline" size="small" busy={isFetching} onClick={retry} className="mt-2">
        Try again
      </Button>
    </Alert>
  )
}
