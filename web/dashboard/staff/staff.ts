import { useQuery } from '@tanstack/react-query'
import { listStaff, type StaffRole } from '../../../core/staff/contract/staff.ts'
import { call } from '../../lib/call.ts'

/** Returns the accounts and the state of the shared password. Requires a manager. */
export function useStaff({ enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: ['staff', 'list'],
    queryFn: () => call(listStaff),
    // Sessions change at any time, so the accounts are read again whenever they are shown.
    refetchOnMount: 'always',
    enabled,
  })
}

/** The name and the rights of each role. */
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
