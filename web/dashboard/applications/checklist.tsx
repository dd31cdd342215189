import {
  ApplicationCheck,
  type ApplicationDetails,
  checkApplication,
} from '../../../core/contract/application-details.ts'
import { byActor } from '../../lib/actors.ts'
import { act } from '../../lib/call.ts'
import { formatDay } from '../../lib/dates.ts'
import { offer } from '../commands.ts'
import { useApplicationAction } from './applications.ts'

const ITEMS: Record<ApplicationCheck, string> = {
  agreement: 'Agreement signed',
  license: 'License checked',
  training: 'Training completed',
}

/** Shows what remains to be done until the practice is certified. */
export function Checklist({ details, canAct }: { details: ApplicationDetails; canAct: boolean }) {
  const { id, checks } = details
  const change = useApplicationAction({
    act: (body: { item: ApplicationCheck; done: boolean }) => act(checkApplication, { params: { id }, body }),
    // The box shows it.
    done: () => {},
    failed: 'Failed to change the checklist',
  })
  return (
    <ul className="grid gap-1">
      {ApplicationCheck.options.map((item) => {
        const check = checks.find((each) => each.item === item)
        return (
          <li key={item}>
            <label className="flex min-h-8 flex-wrap items-center gap-x-2.5 max-lg:min-h-11">
              <input
                ref={offer({ label: `${ITEMS[item]}${check ? ': not yet' : ''}`, keywords: 'checklist' })}
                type="checkbox"
                checked={check !== undefined}
                disabled={!canAct || change.isPending}
                onChange={({ target }) => change.mutate({ item, done: target.checked })}
                className="size-4 accent-secondary"
              />
              <span className="text-ink">{ITEMS[item]}</span>
              {check && (
                <span className="text-quiet">
                  {formatDay(check.at)} {byActor(check)}
                </span>
              )}
            </label>
          </li>
        )
      })}
    </ul>
  )
}
