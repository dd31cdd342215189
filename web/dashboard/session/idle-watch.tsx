import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { reportActivity } from '../../../core/contract/session.ts'
import { call } from '../../lib/call.ts'
import { MINUTE, SECOND } from '../../lib/time.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { endSession, readSession, storeSession, useLeave, useSession } from './session.ts'

/** How long before the end of the session the person is asked, in milliseconds. */
const WARN_BEFORE = 2 * MINUTE
/** How often the server is asked meanwhile: another window may have kept the session open. In milliseconds. */
const LOOK_EVERY = 10 * SECOND

/**
 * Ends what is on the screen when the session ends for lack of activity, and asks shortly before. The server decides:
 * it is told of activity, and asked before the person is.
 */
export function IdleWatch() {
  const { endsAt, stay, look } = useIdleEnd()
  const [isWarning, setWarning] = useState(false)
  const [looks, setLooks] = useState(0)

  useEffect(() => {
    if (endsAt === undefined) return
    const untilWarning = endsAt - WARN_BEFORE - Date.now()
    // The server may be away: it is asked again.
    const wait = isWarning || looks > 0 ? Math.min(LOOK_EVERY, Math.max(SECOND, endsAt - Date.now())) : untilWarning
    const timer = setTimeout(async () => {
      const left = await look()
      setWarning(left !== undefined && left <= WARN_BEFORE)
      setLooks(left === undefined || left <= WARN_BEFORE ? looks + 1 : 0)
    }, wait)
    return () => clearTimeout(timer)
  }, [endsAt, isWarning, looks, look])

  useActivity({ isWatched: endsAt !== undefined && !isWarning, onActivity: stay })

  if (!isWarning || endsAt === undefined) return null
  return (
    <IdleDialog
      endsAt={endsAt}
      onStay={() => {
        setWarning(false)
        setLooks(0)
        stay()
      }}
    />
  )
}

/** When the session ends without activity, by this browser's clock; undefined where it does not. */
function useIdleEnd() {
  const client = useQueryClient()
  const { data: session, dataUpdatedAt } = useSession({ enabled: true })
  const seconds = session?.idle_seconds_left
  const [act] = useState(() => ({
    /** Keeps the session open. Without a connection there is nothing to be said: calls that fail say it. */
    stay: () =>
      void call(reportActivity).then(
        (now) => storeSession(client, now),
        () => {},
      ),
    /** Asks the server how long is left, in milliseconds. Undefined when it does not answer, or nothing is left. */
    look: async (): Promise<number | undefined> => {
      const now = await readSession().catch(() => undefined)
      if (!now) return undefined
      if (now.authenticated) storeSession(client, now)
      else endSession(client)
      return now.idle_seconds_left === undefined ? undefined : now.idle_seconds_left * SECOND
    },
  }))
  return { ...act, endsAt: seconds === undefined ? undefined : dataUpdatedAt + seconds * SECOND }
}

function IdleDialog({ endsAt, onStay }: { endsAt: number; onStay: () => void }) {
  const { leave, isLeaving } = useLeave()
  const left = useSecondsUntil(endsAt)

  return (
    <Dialog title="Are you still there?" className="w-md max-w-full p-6" onClose={onStay}>
      <p className="mt-2">
        Nothing has happened here for a while, so you will be signed out soon. Whatever you have typed and not saved is
        lost then.
      </p>
      <p role="timer" aria-live="off" className="mt-2 font-semibold text-ink">
        Signing out in {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
      </p>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="outline" busy={isLeaving} onClick={leave}>
          Sign out
        </Button>
        <Button ref={focus} onClick={onStay}>
          Stay signed in
        </Button>
      </div>
    </Dialog>
  )
}

/** A dialog focuses its first button, and Enter must not sign out. */
function focus(button: HTMLButtonElement | null): void {
  button?.focus()
}

function useSecondsUntil(moment: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((moment - now) / SECOND))
}

/** How often activity is reported, in milliseconds. */
const REPORT_EVERY = 30 * SECOND

/**
 * What only a person does. Movements of the mouse are not among them: browsers make some up when the page changes under
 * it, as a live list does.
 */
const SIGNS = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const

/** Calls `onActivity` when the person does something: at once, then every half minute as long as there was more. */
function useActivity({ isWatched, onActivity }: { isWatched: boolean; onActivity: () => void }): void {
  useEffect(() => {
    if (!isWatched) return
    let reportedAt = 0
    let timer: ReturnType<typeof setTimeout> | undefined

    function report() {
      timer = undefined
      reportedAt = Date.now()
      onActivity()
    }
    function notice() {
      timer ??= setTimeout(report, Math.max(0, reportedAt + REPORT_EVERY - Date.now()))
    }

    for (const sign of SIGNS) window.addEventListener(sign, notice, { capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      for (const sign of SIGNS) window.removeEventListener(sign, notice, { capture: true })
    }
  }, [isWatched, onActivity])
}
