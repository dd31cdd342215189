import * as Menu from '@radix-ui/react-dropdown-menu'
import type { ReactNode } from 'react'
import { MENU_CONTENT, MenuItem } from '../ui/menu.tsx'
import type { Tab } from '../ui/tabs.tsx'

/** The tabs that have a place of their own in the bar, with what they are called there, and their icon. */
const PLACES: Record<string, { label: string; path: string }> = {
  attention: { label: 'Inbox', path: 'M3 11.5 5 4h10l2 7.5V16H3v-4.5Zm0 0h4l1 2h4l1-2h4' },
  leads: { label: 'Leads', path: 'M4 5.5h12M4 10h12M4 14.5h12' },
  providers: { label: 'Clinics', path: 'M4 17V7l6-4 6 4v10H4Zm6-7.5v5M7.5 12h5' },
}

type Props = {
  tabs: Tab[]
  /** The id of the tab that is shown. */
  chosen: string
  onChoose: (id: string) => void
  /** The numbers beside the icons, by the ids of their tabs. */
  counts: Record<string, number | undefined>
}

/** Goes to the tabs on a narrow screen, in the reach of a thumb. The rarer ones are behind "More". */
export function BottomBar({ tabs, chosen, onChoose, counts }: Props) {
  // Always in the same places, wherever the tab of a wide screen stands.
  const places = Object.keys(PLACES).flatMap((place) => tabs.find(({ id }) => id === place) ?? [])
  const others = tabs.filter(({ id }) => !(id in PLACES))
  return (
    <nav
      aria-label="Tabs"
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-background pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
    >
      {places.map(({ id }) => (
        <button
          key={id}
          type="button"
          aria-current={id === chosen ? 'page' : undefined}
          onClick={() => onChoose(id)}
          className={PLACE}
        >
          <Icon path={PLACES[id]?.path ?? ''} />
          {PLACES[id]?.label}
          <Count>{counts[id]}</Count>
        </button>
      ))}
      <Menu.Root modal={false}>
        <Menu.Trigger aria-current={others.some(({ id }) => id === chosen) ? 'page' : undefined} className={PLACE}>
          <Icon path="M4.5 10h.01M10 10h.01M15.5 10h.01" />
          More
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Content side="top" align="end" sideOffset={6} collisionPadding={12} className={MENU_CONTENT}>
            {others.map(({ id, label }) => (
              <MenuItem key={id} onChoose={() => onChoose(id)}>
                {label}
              </MenuItem>
            ))}
          </Menu.Content>
        </Menu.Portal>
      </Menu.Root>
    </nav>
  )
}

const PLACE =
  'relative grid min-h-14 flex-1 content-center justify-items-center gap-0.5 text-xs font-semibold text-quiet -outline-offset-3 aria-[current=page]:text-secondary'

function Icon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 20 20" className="size-5" aria-hidden="true">
      <path d={path} fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}

function Count({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <span className="absolute top-1 left-[calc(50%+0.5rem)] rounded-full bg-secondary px-1.5 text-[0.6875rem] leading-4 text-background">
      {children}
    </span>
  )
}
