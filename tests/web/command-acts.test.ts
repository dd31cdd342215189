import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Call } from '../../core/contract/call.ts'
import { CALLS } from '../../core/contract/calls.ts'

/** Where a command comes from: the commands that every tab has, or a panel that offers it while it is shown. */
const HERE = 'use-dashboard-commands.ts'
const LEADS = 'leads/leads-panel.tsx'
const BULK = 'leads/bulk-bar.tsx'

/**
 * How the menu reaches each act of staff: the label of a command and the file that offers it. A null says that the act is
 * part of another one, in a dialog or as its undoing.
 */
const REACHED_BY: Record<string, [label: string, file: string] | null> = {
  'PATCH /api/leads/:id/provider': ['Match with provider...', LEADS],
  'POST /api/leads/:id/undo-match': ['Undo', 'leads/use-undo.tsx'],
  'POST /api/leads/:id/pass-on': ['Pass on', 'leads/pass-on.tsx'],
  'POST /api/leads/:id/retry-sync': ['Retry CRM Sync', LEADS],
  'POST /api/leads/:id/retry-email': ['Resend Email', LEADS],
  'POST /api/leads/:id/release': ['Release', 'leads/held-lead.tsx'],
  'DELETE /api/leads/:id': ['Delete', LEADS],
  'POST /api/leads/:id/restore': ['Restore', 'leads/deleted-leads.tsx'],
  'DELETE /api/deleted-leads/:id': ['Delete for good', 'leads/deleted-leads.tsx'],
  'POST /api/leads/bulk': ['Clear selection', BULK],
  'PATCH /api/leads/:id': ['Edit...', LEADS],
  // Offered by the toast after a correction.
  'POST /api/leads/:id/send-again': null,
  'POST /api/leads/:id/match-again': null,
  'POST /api/phone-leads': ['New lead', HERE],
  'PATCH /api/leads/:id/work': ['Assign to me', 'leads/lead-work.tsx'],
  'POST /api/leads/:id/notes': ['Write a note', 'leads/lead-work.tsx'],
  'DELETE /api/leads/:id/notes/:noteId': ['Delete this note', 'leads/lead-notes.tsx'],
  'POST /api/leads/:id/outcomes': ['Record an outcome...', LEADS],
  'POST /api/leads/:id/same-person': ['Same person as...', 'leads/lead-person.tsx'],
  'DELETE /api/leads/:id/same-person/:leadId': ['Not the same person', 'leads/lead-person.tsx'],
  'POST /api/leads/:id/opt-out': ['Do not contact...', 'leads/lead-opt-out.tsx'],
  'POST /api/leads/:id/lift-opt-out': ['Allow contact...', 'leads/opt-outs.tsx'],
  'POST /api/opt-outs': ['Enter a STOP...', HERE],
  'POST /api/opt-outs/:id/confirm': ['Confirm the stop...', 'attention/line-action.tsx'],
  // In the dialog of “Enter a STOP...”.
  'POST /api/suppressions/:id/lift': null,
  'POST /api/lead-views': ['Save view', 'leads/lead-views.tsx'],
  'PATCH /api/lead-views/:id': ['Manage saved views', HERE],
  'DELETE /api/lead-views/:id': ['Manage saved views', HERE],
  'POST /api/exports': ['Export Leads CSV', HERE],
  'DELETE /api/exports/:id': ['export of', 'exports.tsx'],
  'POST /api/jobs/retry-failed': ['Retry what failed...', HERE],
  'POST /api/attention/mark': ['doneLabel', 'attention/attention-line.tsx'],
  'POST /api/attention/unmark': ['Bring back', 'attention/attention-line.tsx'],
  'PATCH /api/provider-applications/:id': ['Change the status', 'applications/application-row.tsx'],
  'PATCH /api/provider-applications/:id/owner': ['Change the owner', 'applications/application-panel.tsx'],
  'PATCH /api/provider-applications/:id/checks': [': not yet', 'applications/checklist.tsx'],
  'POST /api/provider-applications/:id/notes': ['Write a note', 'applications/notes.tsx'],
  'POST /api/provider-applications/:id/certify': ['Certify...', 'applications/certification.tsx'],
  'POST /api/provider-applications/:id/retry-email': ['Resend Email', 'applications/application-row.tsx'],
  'POST /api/provider-applications/:id/release': ['Release...', 'applications/application-row.tsx'],
  'DELETE /api/provider-applications/:id/notes/:noteId': ['Delete the note of', 'applications/notes.tsx'],
  'POST /api/provider-applications/:id/notes/:noteId/restore': null,
  'DELETE /api/provider-applications/:id': ['Delete', 'applications/application-row.tsx'],
  'POST /api/sync': ['Sync Providers', HERE],
  'POST /api/sync/dry-run': ['Dry run of the sync', HERE],
  // In the dialog of a run, above which the menu does not open.
  'POST /api/sync-runs/:id/approve': ['Runs of the sync', HERE],
  'PATCH /api/providers/:id/rules': ['Pause and rules...', 'providers/provider-record.tsx'],
  'POST /api/providers/:providerId/test-email': ['Send test e-mail', 'providers/provider-record.tsx'],
  'POST /api/providers/:providerId/activate': ['Activate', 'activate-button.tsx'],
  'POST /api/providers/:providerId/new-email': [' of ', 'providers/new-emails-card.tsx'],
  'DELETE /api/providers/:providerId/request-address': [
    'Remove the clinic’s address',
    'providers/record-addresses.tsx',
  ],
  'POST /api/network-pauses': ['Pause the network', HERE],
  'DELETE /api/network-pauses/:id': ['End now', 'providers/network-pauses-card.tsx'],
  'POST /api/sending-pauses': ['Pause sending to', HERE],
  'DELETE /api/sending-pauses/:integration': ['Resume sending to', HERE],
  'POST /api/alerts/channels': ['Add an alert channel', HERE],
  'PATCH /api/alerts/channels/:id': ['Hour of the daily summary', 'alerts/channel-row.tsx'],
  'DELETE /api/alerts/channels/:id': ['Remove', 'alerts/channel-row.tsx'],
  'POST /api/alerts/channels/:id/test': ['Send a test', 'alerts/channel-row.tsx'],
  'PATCH /api/alerts/settings': ['Business hours without a lead', 'alerts/alerts-panel.tsx'],
  'POST /api/staff': ['Add an account', HERE],
  'PATCH /api/staff/:id': ['Change the role', 'staff/staff-panel.tsx'],
  'POST /api/staff/:id/reset-password': ['Reset password', 'staff/staff-actions.tsx'],
  'POST /api/staff/:id/reset-factors': ['Reset two-step sign-in', 'staff/staff-actions.tsx'],
  'DELETE /api/shared-password': ['Switch off the shared password', HERE],
  'DELETE /api/sessions/:id': ['My sessions', HERE],
  'POST /api/privacy/find': ['Find a person’s data', HERE],
  // In what was found about a person.
  'POST /api/privacy/erase': null,
  'POST /api/setup/check-mail': ['Send test e-mail', 'setup/steps.tsx'],
  'POST /api/setup/check-crm': ['Test the connection to the CRM', 'setup/steps.tsx'],
  'POST /api/setup/test-lead': ['Send test lead', 'setup/test-lead-step.tsx'],
  'DELETE /api/setup/test-lead': ['Delete the test lead', 'setup/test-lead-step.tsx'],
  'POST /api/setup/skip': ['the step', 'setup/setup-panel.tsx'],
  'POST /api/privacy/erasures/:id/retry': ['Ask again about erasure', 'privacy/privacy-panel.tsx'],
}

/** The calls of one's own sign-in. Its dialogs are commands: “Change password”, “Two-step sign-in”. */
const OWN_ACCOUNT = /^\/api\/(session|password|second-factor)(\/|$)/

const isAct = ({ method, access, path }: Call) =>
  method !== 'GET' && ['viewer', 'agent', 'manager'].includes(access) && !OWN_ACCOUNT.test(path)

describe('the command menu', () => {
  it('reaches every act of staff that the contract has', () => {
    const acts = CALLS.filter(isAct).map(({ method, path }) => `${method} ${path}`)
    expect(Object.keys(REACHED_BY).toSorted()).toEqual(acts.toSorted())
  })

  it.each(Object.entries(REACHED_BY).flatMap(([act, way]) => (way ? [[act, ...way]] : [])))(
    'offers %s as “%s” in %s',
    (_, label, file) => {
      const source = readFileSync(`web/dashboard/${file}`, 'utf8')
      // Lists of commands, or the refs of buttons.
      const isList = [HERE, LEADS, BULK].includes(file)
      const offered = [...source.matchAll(isList ? /\blabel: (.*)/g : /\boffer(?:Command)?\(\{\s*label: (.*)/g)]
        .map(([, rest]) => rest)
        .join('\n')
      expect(offered).toContain(label)
    },
  )
})
