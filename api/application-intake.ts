import { type SubmittedApplication, submitApplication } from '../core/commands/applications/submit-application.ts'
import type { NewApplication } from '../core/contract/applications.ts'
import { TOLD_HOURLY } from '../core/contract/forms.ts'
import { deriveKey } from '../core/platform/data-key.ts'
import { heldReason } from '../core/rules/automation.ts'
import { practiceKey, storedKey } from '../core/rules/duplicates.ts'
import { holdBeyondCaps } from '../core/rules/mail-caps.ts'
import type { Visit } from '../core/stores/consents.ts'
import { countRecentForms, isRepeatedApplication, isTeamTold } from '../core/stores/recent-forms.ts'
import * as suppressions from '../core/stores/suppressions.ts'
import type { Row } from '../core/stores/table.ts'
import { type FormCounts, networkOf } from './form-counts.ts'
import { mailCaps } from './intake.ts'
import type { Services } from './services.ts'

type Intake = { application: NewApplication; idempotencyKey?: string; visit: Visit }

/**
 * Takes applications, one after the other, so that the caps hold. Holds one of a person who asked not to be contacted, one that
 * looks automated, and one that is too many within an hour, together with leads: of one mailbox, of one network or in all.
 *
 * @returns a function that resolves to the stored application
 * @throws AppError `invalid` (from that function) when the idempotency key was used for another form
 */
export function createApplicationIntake({ db, env }: Pick<Services, 'db' | 'env'>, counts: FormCounts) {
  const caps = mailCaps(env)
  const chainKey = deriveKey(env.DATA_KEY, 'consent-chain')
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')
  let last: Promise<unknown> = Promise.resolve()

  return (intake: Intake): Promise<SubmittedApplication> => {
    const stored = last.then(() => take(intake))
    last = stored.catch(() => {})
    return stored
  }

  async function take({ application, idempotencyKey, visit }: Intake): Promise<SubmittedApplication> {
    const { email, name, practice_name } = application
    const [suppressed, { recent }] = await Promise.all([
      suppressions.ways(db, personKey, [application]),
      countRecentForms(db, [{ email, providerId: null }], caps),
    ])
    const ways = suppressed.get(application)
    const held = ways && ('wish' as const)
    const keys = {
      practiceKey: practiceKey(application, { held }),
      idempotencyKey: storedKey(idempotencyKey, { held }),
    }
    const network = networkOf(visit.ip)
    const ofItself = heldReason(application, [name, practice_name], visit)
    const form = { email, network, providerId: null, heldReason: ofItself, repeatKey: keys.practiceKey }
    const [asNew] = holdBeyondCaps([form], { ...recent, addresses: counts.read([network]) }, caps)
    const isRepeat = asNew !== ofItself && (await isRepeatedApplication(db, keys))
    const ofForm = isRepeat ? ofItself : (asNew as Row<'provider_applications'>['held_reason'])
    const reason = ofForm ?? (ways ? 'do_not_contact' : null)

    const submission = {
      ...{ application, idempotencyKey, visit, heldReason: reason },
      isQuiet: reason === 'do_not_contact' && !ways?.has('email'),
      isTold: reason !== null && TOLD_HOURLY.includes(reason) && (await isTeamTold(db, reason)),
    }
    const stored = await submitApplication(db, submission, chainKey)
    if (ofForm === null && stored.isNew) counts.add(network)
    return stored
  }
}
