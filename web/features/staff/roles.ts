import type { StaffRole } from '../../../core/contract/staff.ts'

/** Each role with what it may do. */
export const ROLES: Record<StaffRole, { name: string; may: string }> = {
  viewer: { name: 'Viewer', may: 'Reads everything, changes nothing.' },
  manager: { name: 'Manager', may: 'Also acts: changes, deletes, exports, and looks after accounts.' },
}
