import { type RefCallback, useEffect, useRef } from 'react'

/** An entry of the command menu. */
export type Command = {
  id: string
  label: string
  /** A text beside the label. */
  hint?: string
  /** More words that the search finds it by. */
  keywords?: string
  /** The keys that do the same without the menu, such as `g l`. */
  keys?: string
  /** Comes from a search, and can be repeated without it. */
  isKept?: true
  run(): void
}

/** Commands under their heading. Groups with the same heading are shown as one. */
export type Group = {
  heading: string
  commands: Command[]
  /** Shown only in a search, because there are many. */
  isFound?: true
  /** Stands before all others: 1 for the selected rows, 2 for what is open or has the focus. */
  rank?: 1 | 2
  /** Finds more commands for a typed text. */
  search?: (text: string) => Promise<Command[]>
}

type Offer = () => Group[]
const offers = new Set<Offer>()

/** Offers commands in the menu for as long as the component is mounted. `read` is called when the menu opens. */
export function useOffer(read: Offer): void {
  const latest = useRef(read)
  latest.current = read
  useEffect(() => add(offers, () => latest.current()), [])
}

type Offered = Pick<Command, 'label' | 'keywords' | 'keys'>

/**
 * Returns the ref of a button or link, whose act the menu offers while the element can be pressed, or of a field, which the
 * menu focuses. Within an element with `data-subject`, the command stands under that name; rows count while they have the
 * focus.
 */
export function offer(command: Offered): RefCallback<HTMLElement> {
  return whileMounted((element) => add(offers, () => ofElement(element, command)))
}

/** Returns a ref that runs `start` with the element, and the function that this returns when the element goes. */
function whileMounted(start: (element: HTMLElement) => () => void): RefCallback<HTMLElement> {
  let end: (() => void) | undefined
  const stop = () => {
    end?.()
    end = undefined
  }
  return (element) => {
    stop()
    if (element) end = start(element)
    // The links of the router do not run this function, but call the ref with null.
    return stop
  }
}

const ROWS = 'tr[data-subject], li[data-subject]'

function ofElement(element: HTMLElement, command: Offered): Group[] {
  const subject = element.closest<HTMLElement>('[data-subject]')
  const isElsewhere = subject?.matches(ROWS) && subject !== focusedRow()
  if (isElsewhere || element.matches(':disabled')) return []
  const heading = subject?.dataset.subject ?? 'Do'
  return [
    {
      heading,
      ...(subject && { rank: 2 }),
      commands: [{ ...command, id: `${heading}: ${command.label}`, run: () => press(element) }],
    },
  ]
}

/** Presses a button or a link, and goes to a field. The focus stays there, or returns there after a dialog. */
function press(element: HTMLElement): void {
  element.focus()
  if (element.matches('a, button, [type=checkbox]')) element.click()
  else element.scrollIntoView({ block: 'nearest' })
}

let lastRow: HTMLElement | null = null

/** Returns the row that has the focus, or had it before the focus left the page's contents, as for the menu's own button. */
export function focusedRow(): HTMLElement | null {
  const focused = document.activeElement
  const isNowhere = !focused || focused === document.body || focused.matches(`[${OPENS_MENU}]`)
  return focused?.closest<HTMLElement>(ROWS) ?? (isNowhere && lastRow?.isConnected ? lastRow : null)
}

/** The attribute of the button that opens the menu. */
export const OPENS_MENU = 'data-opens-menu'

/** Remembers the row that had the focus last, until the returned function runs. */
export function watchRows(): () => void {
  function remember({ target }: FocusEvent) {
    const element = target as HTMLElement
    if (!element.matches(`[${OPENS_MENU}]`) && !element.closest('[role=dialog]')) lastRow = element.closest(ROWS)
  }
  document.addEventListener('focusin', remember)
  return () => {
    lastRow = null
    document.removeEventListener('focusin', remember)
  }
}

/** Returns what is offered now, each heading and each command once, what is selected and what is open first. */
export function offeredNow(): Group[] {
  return joined([...offers].flatMap((read) => read()))
}

/** Joins the groups of the same heading. Ranked groups come first. */
export function joined(groups: Group[]): Group[] {
  const byHeading = new Map<string, Group>()
  for (const group of groups.toSorted((a, b) => (a.rank ?? 3) - (b.rank ?? 3))) {
    const known = byHeading.get(group.heading)
    const ids = new Set(known?.commands.map(({ id }) => id))
    const commands = [...(known?.commands ?? []), ...group.commands.filter(({ id }) => !ids.has(id))]
    byHeading.set(group.heading, { ...(known ?? group), commands })
  }
  return [...byHeading.values()].filter(({ commands, search }) => commands.length > 0 || search)
}

/** The acts that have one place in the dashboard. Their commands are offered everywhere, go to that place, and do them there. */
export type ActName =
  | 'views'
  | 'stop-by-hand'
  | 'retry-failed'
  | 'pause-crm'
  | 'pause-mail'
  | 'resume-crm'
  | 'resume-mail'
  | 'pause-network'
  | 'add-channel'
  | 'add-account'
  | 'switch-off-password'
  | 'find-person'
  | 'change-password'
  | 'two-step'
  | 'sessions'

const acts = new Map<ActName, () => void>()
/** How long an act waits for its place to be shown, in milliseconds. */
const MAX_WAIT = 5000
let wanted: { name: ActName; since: number } | undefined

/** Does an act: now, or when its place is shown. */
export function doAct(name: ActName): void {
  const run = acts.get(name)
  if (run) run()
  else wanted = { name, since: Date.now() }
}

function addAct(name: ActName, run: () => void): () => void {
  acts.set(name, run)
  if (wanted?.name === name) {
    if (Date.now() - wanted.since < MAX_WAIT) setTimeout(run)
    wanted = undefined
  }
  return () => {
    if (acts.get(name) === run) acts.delete(name)
  }
}

/** Does an act while the component is mounted; undefined leaves it to others. */
export function useAct(name: ActName, run: (() => void) | undefined): void {
  const latest = useRef(run)
  latest.current = run
  const isOn = run !== undefined
  useEffect(() => (isOn ? addAct(name, () => latest.current?.()) : undefined), [name, isOn])
}

/** Returns the ref of the button that does an act, or of the field that it focuses. */
export function actRef(name: ActName): RefCallback<HTMLElement> {
  return whileMounted((element) => addAct(name, () => press(element)))
}

function add<Value>(set: Set<Value>, value: Value): () => void {
  set.add(value)
  return () => void set.delete(value)
}
