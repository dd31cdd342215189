import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { reportActivity } from '../../../core/staff/contract/session.ts'
import { call } from '../../lib/call.ts'
import { MINUTE, SECOND } from '../../lib/time.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { endSession, readSession, storeSession, useLeave, useSession } from './session.ts'

/** The time between the warning and the end of the session, in milliseconds. */
const WARN_BEFORE = 2 * MINUTE
/**
 * The interval at which the server is asked during the warning, in milliseconds: another window may have extended the
 * session.
 */
const LOOK_EVERY = 10 * SECOND

/**
 * Locks the dashboard when the session ends for lack of activity, and warns before. The server decides: activity is
 * reported to it, and it is asked before the person is warned.
 */
export function IdleWatch() {
  const { endsAt, stay, look } = useIdleEnd()
  const [isWarning, setWarning] = useState(false)
  const [looks, setLooks] = useState(0)

  useEffect(() => {
    if (endsAt === undefined) return
    const untilWarning = endsAt - WARN_BEFORE - Date.now()
    // Asks again if the server did not answer.
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

/** Returns the end of the session without activity, by this browser's clock; undefined if it has no such end. */
function useIdleEnd() {
  const client = useQueryClient()
  const { data: session, dataUpdatedAt } = useSession({ enabled: true })
  const seconds = session?.idle_seconds_left
  const [act] = useState(() => ({
    /** Extends the session. Fails silently: without a connection, other calls report it. */
    stay: () =>
      void call(reportActivity).then(
        (now) => storeSession(client, now),
        () => {},
      ),
    /**
     * Asks the server for the remaining time, in milliseconds. Undefined if it does not answer or the session has
     * ended.
     */
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

/** Focuses the safe button: a dialog focuses its first one, and Enter must not sign out. */
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

/** The interval at which activity is reported, in milliseconds. */
const REPORT_EVERY = 30 * SECOND

/**
 * The events that count as activity. Mouse movements do not: browsers send some when the page changes under the
 * pointer, as a live list does.
 */
const SIGNS = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const

/** Calls `onActivity` at the first activity, then every `REPORT_EVERY` if there was more. */
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
