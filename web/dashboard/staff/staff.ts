import { useQuery } from '@tanstack/react-query'
import { listStaff, type StaffRole } from '../../../core/contract/staff.ts'
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
  viewer: { name: 'Viewer', may: 'Can see everything except e-mails and phone numbers, and change nothing.' },
  agent: { name: 'Agent', may: 'Can also see e-mails and phone numbers, and stop contact with a person.' },
  manager: { name: 'Manager', may: 'Can also change, delete and export, and manage accounts.' },
}
