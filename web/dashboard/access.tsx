import { useQuery } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'
import { z } from 'zod'
import { addApplicationNote, updateApplication } from '../../core/applications/contract/applications.ts'
import { listAlerts } from '../../core/conditions/contract/alerts.ts'
import { setAside } from '../../core/conditions/contract/conditions.ts'
import { getSettings, pauseSending } from '../../core/conditions/contract/integrations.ts'
import { type Call, ROLES as RANKS } from '../../core/contract/call.ts'
import { assignProvider, deleteLead } from '../../core/leads/contract/lead-changes.ts'
import { recordOutcome } from '../../core/leads/contract/outcomes.ts'
import { changeProviderRules } from '../../core/providers/contract/provider-rules.ts'
import { listAccess } from '../../core/staff/contract/audit-log.ts'
import { retryFailedJobs } from '../../core/staff/contract/bulk.ts'
import type { Person } from '../../core/staff/contract/session.ts'
import { listStaff, type StaffRole } from '../../core/staff/contract/staff.ts'
import { startSync } from '../../core/sync/contract/sync.ts'
import { call } from '../lib/call.ts'

/** The rights, each by a call that needs the same role. */
const RIGHTS = {
  'lead.work': recordOutcome,
  'lead.match': assignProvider,
  'lead.manage': deleteLead,
  'attention.mark': setAside,
  'application.note': addApplicationNote,
  'application.manage': updateApplication,
  'provider.manage': changeProviderRules,
  'sync.run': startSync,
  'delivery.retry': retryFailedJobs,
  'sending.pause': pauseSending,
  'access-log.read': listAccess,
  'settings.manage': listAlerts,
  'staff.manage': listStaff,
} as const satisfies Record<string, Call>
export type Right = keyof typeof RIGHTS

const Viewer = createContext<Person | undefined>(undefined)
export const ViewerProvider = Viewer.Provider

export const useMe = () => useContext(Viewer)

export function useAccess(): (right: Right) => boolean {
  const me = useMe()
  const rankOf = (role: string) => (RANKS as readonly string[]).indexOf(role)
  return (right) => me !== undefined && rankOf(me.role) >= rankOf(RIGHTS[right].access)
}

export function useSettings() {
  return useQuery({ queryKey: ['settings'], queryFn: () => call(getSettings) })
}

/** Returns the accounts and the state of the shared password; nothing to those who may not see them. */
export function useStaff() {
  const enabled = useAccess()('staff.manage')
  return useQuery({
    queryKey: ['staff', 'list'],
    queryFn: () => call(listStaff),
    // Sessions change at any time, so the accounts are read again whenever they are shown.
    refetchOnMount: 'always',
    enabled,
  })
}

export const ROLES: Record<StaffRole, { name: string; may: string }> = {
  viewer: {
    name: 'Viewer',
    may: 'Can see leads, applications, providers and the activity without emails and phone numbers, and change nothing.',
  },
  agent: {
    name: 'Agent',
    may: 'Can also see emails and phone numbers, enter and correct leads, record outcomes, pass leads on, resend emails, write notes, and stop contact with a person.',
  },
  manager: {
    name: 'Manager',
    may: 'Can also match, release, delete and export, sync providers, change rules and alerts, and manage accounts.',
  },
}

/** How this browser shows the dashboard. Each part falls back to its default where storage is refused or holds something else. */
const Preferences = z.object({
  scheme: z.enum(['system', 'light', 'dark']).catch('system'),
  density: z.enum(['comfortable', 'dense']).catch('comfortable'),
})

type Preferences = z.infer<typeof Preferences>

const KEY = 'dashboard-preferences'
const listeners = new Set<() => void>()
/** Access last: the text in the storage, and its meaning, which must stay the same object. */
let last = { text: null as string | null, preferences: Preferences.parse({}) }

export function usePreferences() {
  return { preferences: useSyncExternalStore(subscribe, read), change }
}

/** Colors the page by the preference, for as long as the dashboard is shown. The server's page starts with `system`. */
export function useScheme(): void {
  const { scheme } = usePreferences().preferences
  useEffect(() => {
    document.documentElement.dataset.scheme = scheme
    return () => {
      delete document.documentElement.dataset.scheme
    }
  }, [scheme])
}

function read(): Preferences {
  try {
    const text = localStorage.getItem(KEY)
    if (text !== last.text) last = { text, preferences: Preferences.parse(JSON.parse(text ?? '{}')) }
  } catch {
    // Storage is refused, or holds something else: what was read or chosen last stays.
  }
  return last.preferences
}

function change(part: Partial<Preferences>): void {
  const preferences = { ...read(), ...part }
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences))
  } catch {
    // The choice lasts as long as the page.
    last = { ...last, preferences }
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
