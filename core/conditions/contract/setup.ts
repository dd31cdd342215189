import { z } from 'zod'
import { ActionAnswer, defineCall } from '../../contract/call.ts'
import { Email, ZipCode } from '../../contract/forms.ts'
import { JobState } from '../../deliveries/contract/jobs.ts'
import { EnteredLead } from '../../leads/contract/lead-changes.ts'

/** The steps of the setup, in their order. */
export const SetupStep = z.enum(['mail', 'crm', 'wordpress', 'team', 'test_lead'])
export type SetupStep = z.infer<typeof SetupStep>

/** The first name and the last name of every test lead. */
export const TEST_LEAD_NAME = { first_name: 'Test', last_name: 'Lead' } as const
/** A number that is reserved for fiction. */
export const TEST_LEAD_PHONE = '(212) 555-0100'

/** How a delivery goes. `answer` is what the other side said, `error` our words for a failure. */
const Progress = z.object({
  state: JobState,
  to: z.string().nullable(),
  at: z.iso.datetime(),
  answer: z.string().nullable(),
  error: z.string().nullable(),
  next_attempt_at: z.iso.datetime().nullable(),
})
export type Progress = z.infer<typeof Progress>

/** A test lead and its way. `clinic` is whom it was matched with, `held` why it is not delivered. */
export const TestLead = z.object({
  id: z.number().int(),
  email: z.string(),
  zip_code: z.string(),
  created_at: z.iso.datetime(),
  held: z.boolean(),
  clinic: z.object({ id: z.number().int(), name: z.string(), miles: z.number().nullable() }).nullable(),
  deliveries: z.array(Progress.extend({ name: z.enum(['match-lead', 'send-email', 'sync-crm']), purpose: z.string() })),
})
export type TestLead = z.infer<typeof TestLead>

/** What is set up, as facts. Secrets are never part of it. */
export const Setup = z.object({
  skipped: z.array(SetupStep),
  /** Whether a worker runs, which sends everything. */
  has_worker: z.boolean(),
  mail: z.object({
    is_done: z.boolean(),
    /** As the running worker has it; null if none runs. */
    settings: z.object({ server: z.string(), from: z.string(), team: z.string() }).nullable(),
    check: Progress.nullable(),
  }),
  crm: z.object({ is_done: z.boolean(), kind: z.string(), host: z.string().nullable(), check: Progress.nullable() }),
  wordpress: z.object({
    is_done: z.boolean(),
    url: z.string().nullable(),
    last_run: z.object({ at: z.iso.datetime(), state: z.string(), error: z.string().nullable() }).nullable(),
    is_running: z.boolean(),
    clinics: z.number().int(),
  }),
  team: z.object({ is_done: z.boolean(), accounts: z.number().int(), invited: z.number().int() }),
  test_lead: z.object({ is_done: z.boolean(), lead: TestLead.nullable(), zip_code: z.string().nullable() }),
})
export type Setup = z.infer<typeof Setup>

export const getSetup = defineCall({
  method: 'GET',
  path: '/api/setup',
  summary: 'Get what of the installation is set up, with the latest tests and the test lead.',
  access: 'manager',
  output: Setup,
})

export const skipStep = defineCall({
  method: 'POST',
  path: '/api/setup/skip',
  summary: 'Skip a step of the setup, or take that back.',
  access: 'manager',
  input: { body: z.object({ step: SetupStep, skipped: z.boolean() }) },
  output: ActionAnswer,
})

export const checkConnection = defineCall({
  method: 'POST',
  path: '/api/setup/check',
  summary: 'Send a test e-mail or, without an address, ask the CRM whether it accepts us. Replaces an earlier test.',
  access: 'manager',
  input: { body: z.object({ email: Email.optional() }) },
  output: ActionAnswer,
})

export const sendTestLead = defineCall({
  method: 'POST',
  path: '/api/setup/test-lead',
  summary: 'Send a test lead. Its e-mails all go to the given address, and it counts nowhere.',
  access: 'manager',
  input: { body: z.object({ email: Email, zip_code: ZipCode }) },
  output: EnteredLead,
  status: 201,
})

export const deleteTestLead = defineCall({
  method: 'DELETE',
  path: '/api/setup/test-lead',
  summary: 'Delete the test leads for good, here and in the CRM.',
  access: 'manager',
  output: ActionAnswer,
})
