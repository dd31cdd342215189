import * as Menu from '@radix-ui/react-dropdown-menu'
import { momentOf, weekdayOf } from '../../lib/dates.ts'
import { DAY } from '../../lib/time.ts'

type Choice = { label: string; until: string }

const SATURDAY = 6
const MORNING = 8
const AFTERNOON = 13

/** Returns the times until which a line can be snoozed, in the network's time zone. */
export function snoozeChoices(now = Date.now()): Choice[] {
  const at = (days: number, hour: number) => momentOf(new Date(now + days * DAY).toISOString(), hour)
  const weekday = weekdayOf(new Date(now).toISOString())
  const afternoon = at(0, AFTERNOON)
  return [
    ...(Date.parse(afternoon) > now ? [{ label: 'This afternoon, 1:00 PM', until: afternoon }] : []),
    { label: 'Tomorrow, 8:00 AM', until: at(1, MORNING) },
    // On Sundays that is tomorrow.
    ...(weekday > SATURDAY ? [] : [{ label: 'Next Monday, 8:00 AM', until: at(SATURDAY + 2 - weekday, MORNING) }]),
  ]
}

type Props = {
  label: string
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onChoose: (until: string) => void
  className: string
}

/** A button that opens the times until which a line can be snoozed. */
export function SnoozeMenu({ label, isOpen, onOpen, onChoose, className }: Props) {
  return (
    <Menu.Root modal={false} open={isOpen} onOpenChange={onOpen}>
      <Menu.Trigger aria-label={label} title="Snooze (z)" className={className}>
        Snooze
      </Menu.Trigger>
      <Menu.Content
        align="end"
        sideOffset={4}
        collisionPadding={16}
        className="z-40 grid w-60 rounded-lg border border-line bg-background p-1.5 text-sm text-ink shadow-lg"
      >
        {snoozeChoices().map(({ label, until }) => (
          <Menu.Item
            key={label}
            onSelect={() => onChoose(until)}
            className="flex min-h-9 cursor-pointer items-center rounded-md px-3 outline-none data-highlighted:bg-mist max-lg:min-h-11"
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Content>
    </Menu.Root>
  )
}
