import { lazyPart } from '../lib/lazy-parts.ts'
import { type Right, useAccess, useMe } from './access.tsx'
import type { PanelProps } from './address.ts'

const panel = lazyPart<PanelProps>

type TabRow = {
  label: string
  /** The letter that shows it, after `g`. */
  key?: string
  keywords?: string
  right?: Right
  /** The icon of one of the five tabs. */
  icon?: string
  isSetting?: true
  Panel: ReturnType<typeof panel>
}

export const TABS = {
  leads: {
    ...{ label: 'Leads', key: 'l', icon: 'M4 5.5h12M4 10h12M4 14.5h12' },
    Panel: panel(() => import('./leads/leads-panel.tsx').then((file) => file.LeadsPanel)),
  },
  providers: {
    ...{ label: 'Providers', key: 'p', icon: 'M4 17V7l6-4 6 4v10H4Zm6-7.5v5M7.5 12h5' },
    keywords: 'clinics pause network holiday sync',
    Panel: panel(() => import('./providers/providers-panel.tsx').then((file) => file.ProvidersPanel)),
  },
  applications: {
    ...{ label: 'Applications', key: 'a', icon: 'M5 3h7l3 3v11H5V3Zm3 6h4m-4 4h4' },
    Panel: panel(() => import('./applications/applications-panel.tsx').then((file) => file.ApplicationsPanel)),
  },
  overview: {
    ...{ label: 'Overview', key: 'o', icon: 'M4 16.5h12M6 13V9m4 4V4m4 9V7' },
    keywords: 'figures funnel recruit',
    Panel: panel(() => import('./overview/overview-panel.tsx').then((file) => file.OverviewPanel)),
  },
  attention: {
    ...{ label: 'Needs attention', key: 'n', icon: 'M3 11.5 5 4h10l2 7.5V16H3v-4.5Zm0 0h4l1 2h4l1-2h4' },
    keywords: 'inbox wrong failed',
    Panel: panel(() => import('./attention/attention-panel.tsx').then((file) => file.AttentionPanel)),
  },
  health: {
    ...{ label: 'Health', key: 'h', isSetting: true },
    keywords: 'pause resume sending crm mail queue retry what failed',
    Panel: panel(() => import('./health/health-panel.tsx').then((file) => file.HealthPanel)),
  },
  alerts: {
    ...{ label: 'Alerts', key: 't', isSetting: true, right: 'settings.manage' },
    keywords: 'add channel notify slack',
    Panel: panel(() => import('./alerts/alerts-panel.tsx').then((file) => file.AlertsPanel)),
  },
  staff: {
    ...{ label: 'Staff', key: 's', isSetting: true, right: 'staff.manage' },
    keywords: 'add account invite colleague shared password',
    Panel: panel(() => import('./staff/staff-panel.tsx').then((file) => file.StaffPanel)),
  },
  privacy: {
    ...{ label: 'Privacy', key: 'v', isSetting: true, right: 'settings.manage' },
    keywords: 'find person data erase export gdpr ccpa',
    Panel: panel(() => import('./privacy/privacy-panel.tsx').then((file) => file.PrivacyPanel)),
  },
  activity: {
    ...{ label: 'Activity', key: 'y', isSetting: true },
    keywords: 'audit log history who',
    Panel: panel(() => import('./activity/activity-panel.tsx').then((file) => file.ActivityPanel)),
  },
  setup: {
    ...{ label: 'Setup', isSetting: true, right: 'settings.manage' },
    keywords: 'connect test lead',
    Panel: panel(() => import('./setup/setup-panel.tsx').then((file) => file.SetupPanel)),
  },
  help: {
    label: 'Help',
    keywords: 'how do i what is where why does mean terms words glossary',
    Panel: panel(() => import('./help-panel.tsx').then((file) => file.HelpPanel)),
  },
} as const satisfies Record<string, TabRow>

export type TabId = keyof typeof TABS
export type KnownTab = TabRow & { id: TabId }

/** Returns what the viewer may see, in its order. Agents have the five tabs and Help; Settings is for those who run or check it. */
export function useKnownTabs(): KnownTab[] {
  const can = useAccess()
  const isAgent = useMe()?.role === 'agent'
  return Object.entries(TABS as Record<string, TabRow>).flatMap(([id, row]) =>
    (row.right && !can(row.right)) || (row.isSetting && isAgent) ? [] : [{ ...row, id: id as TabId }],
  )
}
