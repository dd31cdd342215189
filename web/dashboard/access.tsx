import { createContext, useContext } from 'react'
import type { Person } from '../../core/contract/session.ts'
import { StaffRole } from '../../core/contract/staff.ts'

/** What each role may do besides reading; a manager may do all that an agent may. The server checks each call again. */
const RIGHTS = {
  'lead.work': 'agent',
  'lead.email': 'agent',
  'lead.stop': 'agent',
  'lead.enter': 'agent',
  'lead.match': 'manager',
  'lead.manage': 'manager',
  'attention.mark': 'agent',
  'application.note': 'agent',
  'application.manage': 'manager',
  'provider.manage': 'manager',
  'sync.run': 'manager',
  'delivery.retry': 'manager',
  'sending.pause': 'manager',
  'access-log.read': 'manager',
  'export.read': 'manager',
  'settings.manage': 'manager',
  'staff.manage': 'manager',
} as const satisfies Record<string, StaffRole>
export type Right = keyof typeof RIGHTS

const Viewer = createContext<Person | undefined>(undefined)
/** Provides the signed-in person to the dashboard. */
export const ViewerProvider = Viewer.Provider

/** Returns the signed-in person; undefined while nobody is. */
export const useMe = () => useContext(Viewer)

/** Returns a function that tells whether the viewer has a right. */
export function useAccess(): (right: Right) => boolean {
  const me = useMe()
  const { options } = StaffRole
  return (right) => me !== undefined && options.indexOf(me.role) >= options.indexOf(RIGHTS[right])
}
