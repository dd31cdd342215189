import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** Says that what is on the screen may be out of date, while the event stream is lost. */
export function ConnectionNotice({ isLost, onRefresh }: { isLost: boolean; onRefresh: () => void }) {
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
  return (
    <p
      role="status"
      className="rounded-lg not-empty:mb-5 not-empty:bg-wait-soft not-empty:px-4 not-empty:py-2.5 text-wait"
    >
      {!isOnline && 'You are offline. What you see may be out of date.'}
      {isOnline && isLost && (
        <>
          The connection to the server was lost. What you see may be out of date. Reconnecting...{' '}
          <button type="button" onClick={onRefresh} className="font-semibold underline underline-offset-3">
            Refresh
          </button>
        </>
      )}
    </p>
  )
}
