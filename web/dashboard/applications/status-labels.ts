import type { ApplicationStatus } from '../../../core/contract/applications.ts'

export const STATUS_LABELS: Record<ApplicationStatus, string> = {
  new: 'New',
  contacted: 'Contacted',
  approved: 'Approved',
  declined: 'Declined',
}
