import type { StaffRole } from '../../../core/contract/staff.ts'

/** Each role with what it may do. */
export const ROLES: Record<StaffRole, { name: string; may: string }> = {
  viewer: { name: 'Viewer', may: 'Can see everything except e-mails and phone numbers, and change nothing.' },
  agent: { name: 'Agent', may: 'Can also see e-mails and phone numbers, and stop contact with a person.' },
  manager: { name: 'Manager', may: 'Can also change, delete and export, and manage accounts.' },
}
