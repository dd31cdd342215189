import type { ComponentType } from 'react'
import { lazyPart } from '../lib/lazy-parts.ts'
import type { Right } from './access.tsx'
import type { PanelProps } from './leads/leads-panel.tsx'

export type TabId = keyof typeof TABS

type Panel = ReturnType<typeof panel>
const panel = (load: () => Promise<ComponentType<PanelProps>>) => lazyPart(load)

type TabRow = {
  label: string
  /** The letter that shows it, after `g`. */
  key?: string
  /** Who may see it: everybody without one. */
  right?: Right
  /** More words that the command menu finds it by. */
  keywords?: string
  /** A chunk of its own. */
  Panel: Panel
}

/** The tabs, in their order. The setup is a tab of its own until there are leads; after that, the menus lead to it. */
export const TABS = {
  leads: {
    label: 'Leads',
    key: 'l',
    Panel: panel(() => import('./leads/leads-panel.tsx').then((file) => file.LeadsPanel)),
  },
  attention: {
    label: 'Needs attention',
    key: 'n',
    Panel: panel(() => import('./attention/attention-panel.tsx').then((file) => file.AttentionPanel)),
  },
  providers: {
    label: 'Providers',
    key: 'p',
    keywords: 'clinics pause network holiday sync',
    Panel: panel(() => import('./providers/providers-panel.tsx').then((file) => file.ProvidersPanel)),
  },
  applications: {
    label: 'Applications',
    key: 'a',
    Panel: panel(() => import('./applications/applications-panel.tsx').then((file) => file.ApplicationsPanel)),
  },
  overview: {
    label: 'Overview',
    key: 'o',
    keywords: 'figures funnel recruit',
    Panel: panel(() => import('./overview/overview-panel.tsx').then((file) => file.OverviewPanel)),
  },
  health: {
    label: 'Health',
    key: 'h',
    keywords: 'pause resume sending crm mail queue retry what failed',
    Panel: panel(() => import('./health/health-panel.tsx').then((file) => file.HealthPanel)),
  },
  activity: {
    label: 'Activity',
    key: 'y',
    Panel: panel(() => import('./activity/activity-panel.tsx').then((file) => file.ActivityPanel)),
  },
  alerts: {
    label: 'Alerts',
    key: 't',
    right: 'settings.manage',
    keywords: 'add channel notify slack',
    Panel: panel(() => import('./alerts/alerts-panel.tsx').then((file) => file.AlertsPanel)),
  },
  staff: {
    label: 'Staff',
    key: 's',
    right: 'staff.manage',
    keywords: 'add account invite colleague shared password',
    Panel: panel(() => import('./staff/staff-panel.tsx').then((file) => file.StaffPanel)),
  },
  privacy: {
    label: 'Privacy',
    key: 'v',
    right: 'settings.manage',
    keywords: 'find person data erase export gdpr ccpa',
    Panel: panel(() => import('./privacy/privacy-panel.tsx').then((file) => file.PrivacyPanel)),
  },
  setup: {
    label: 'Setup',
    right: 'settings.manage',
    Panel: panel(() => import('./setup/setup-panel.tsx').then((file) => file.SetupPanel)),
  },
} as const satisfies Record<string, TabRow>
