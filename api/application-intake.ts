import type { NewApplication } from '../core/applications/contract/applications.ts'
import { type SubmittedApplication, submitApplication } from '../core/applications/submit-application.ts'
import { TOLD_HOURLY } from '../core/contract/forms.ts'
import { heldReason } from '../core/deliveries/rules/automation.ts'
import { exceededCap, mailCaps } from '../core/deliveries/rules/mail-caps.ts'
import type { FormCounts } from '../core/leads/form-counts.ts'
import { practiceKey, storedKey } from '../core/leads/rules/duplicates.ts'
import { isRepeated, isTeamTold, type RecentRow, recentFormsQuery } from '../core/leads/stores/repeats.ts'
import { deriveKey } from '../core/platform/data-key.ts'
import { only, queryRows } from '../core/platform/db.ts'
import type { Visit } from '../core/privacy/stores/consents.ts'
import * as suppressions from '../core/privacy/stores/suppressions.ts'
import type { Row } from '../core/tables/table.ts'
import { networkOf } from './networks.ts'
import type { Services } from './services.ts'

type Intake = { application: NewApplication; idempotencyKey?: string; visit: Visit }

/**
 * Takes an application, one after the other, so that the caps hold. Holds one of a person who asked not to be contacted, one that
 * looks automated, and one that is too many within an hour, together with leads: of one mailbox, of one network or in all.
 *
 * @throws AppError `invalid` when the idempotency key was used for another form
 */
export function takeApplication(services: Pick<Services, 'db' | 'env'>, counts: FormCounts, intake: Intake) {
  return counts.inTurn('applications', () => take(services, counts, intake))
}

async function take(
  { db, env }: Pick<Services, 'db' | 'env'>,
  counts: FormCounts,
  { application, idempotencyKey, visit }: Intake,
): Promise<SubmittedApplication> {
  const { email, name, practice_name } = application
  const caps = mailCaps(env)
  const [suppressed, { hour, day, all }] = await Promise.all([
    suppressions.ways(db, deriveKey(env.DATA_KEY, 'person-hash'), [application]),
    queryRows<RecentRow>(db, ...recentFormsQuery([email], caps)).then(only),
  ])
  const ways = suppressed.get(application)
  const held = { held: ways && ('wish' as const) }
  const marks = { form: practiceKey(application, held), key: storedKey(idempotencyKey, held) }
  const network = networkOf(visit.ip)
  const ofItself = heldReason(application, [name, practice_name], visit)
  const beyond = ofItself
    ? null
    : exceededCap({ visitor: { hour, day }, address: counts.read(network), clinic: 0, all }, caps)
  const isRepeat = beyond !== null && (await isRepeated(db, 'provider_applications', marks))
  const ofForm = (ofItself ?? (isRepeat ? null : beyond)) as Row<'provider_applications'>['held_reason']
  const reason = ofForm ?? (ways ? 'do_not_contact' : null)

  const submission = {
    ...{ application, idempotencyKey, visit, heldReason: reason },
    isQuiet: reason === 'do_not_contact' && !ways?.has('email'),
    isTold: reason !== null && TOLD_HOURLY.includes(reason) && (await isTeamTold(db, reason)),
  }
  const stored = await submitApplication(db, submission, deriveKey(env.DATA_KEY, 'consent-chain'))
  if (ofForm === null && stored.isNew) counts.add(network)
  return stored
}
