import * as Radix from '@radix-ui/react-dropdown-menu'
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type Ref,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Icon } from './drawing.tsx'

const CONTENT =
  'z-40 max-h-[80dvh] min-w-52 overflow-y-auto rounded-xl border border-line bg-background p-1.5 text-foreground shadow-lg'

const ITEM =
  'flex min-h-9 cursor-pointer items-center gap-3 rounded-lg px-3 text-sm text-ink outline-none data-disabled:cursor-not-allowed data-disabled:text-quiet data-highlighted:bg-mist max-lg:min-h-11 forced-colors:data-highlighted:outline-2'

/** Does something once the menu around it has closed: a dialog returns the focus to the element that had it, which must be the button. */
const WhenClosed = createContext<(act: () => void) => void>((act) => act())

type ItemProps = { onChoose: () => void; children: ReactNode; isDanger?: boolean; disabled?: boolean }

export function MenuItem({ onChoose, children, isDanger = false, disabled }: ItemProps) {
  const whenClosed = useContext(WhenClosed)
  return (
    <Radix.Item
      disabled={disabled}
      onSelect={() => whenClosed(onChoose)}
      className={`${ITEM} ${isDanger ? 'text-bad!' : ''}`}
    >
      {children}
    </Radix.Item>
  )
}

export function MenuSeparator() {
  return <Radix.Separator className="my-1.5 h-px bg-line" />
}

type ChoiceProps<Value extends string> = {
  label: string
  words: Record<Value, string>
  value: Value
  onChoose: (value: Value) => void
}

/** One choice of several. The menu stays open, so that its effect can be seen. */
export function MenuChoice<Value extends string>({ label, words, value, onChoose }: ChoiceProps<Value>) {
  return (
    <Radix.RadioGroup value={value} aria-label={label} onValueChange={(chosen) => onChoose(chosen as Value)}>
      <Radix.Label className="px-3 pt-2 pb-1 text-xs font-semibold text-quiet">{label}</Radix.Label>
      {(Object.keys(words) as Value[]).map((each) => (
        <Radix.RadioItem key={each} value={each} className={ITEM} onSelect={(event) => event.preventDefault()}>
          <span className="grid size-4 place-items-center text-secondary">
            <Radix.ItemIndicator>
              <Icon d="m3 8.5 3.5 3.5L13 4.5" box={16} className="size-4" />
            </Radix.ItemIndicator>
          </span>
          {words[each]}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}

type ContentProps = { ref?: Ref<HTMLDivElement>; className?: string; children: ReactNode }

function Content({ className = '', children, ...rest }: ContentProps) {
  const chosen = useRef<() => void>(undefined)
  return (
    <Radix.Content
      {...rest}
      align="end"
      sideOffset={4}
      collisionPadding={16}
      onCloseAutoFocus={() => {
        chosen.current?.()
        chosen.current = undefined
      }}
      className={`${CONTENT} ${className}`}
    >
      <WhenClosed.Provider
        value={(act) => {
          chosen.current = act
        }}
      >
        {children}
      </WhenClosed.Provider>
    </Radix.Content>
  )
}

type MenuProps = {
  button: ComponentProps<typeof Radix.Trigger>
  className?: string
  children: ReactNode
} & Pick<ComponentProps<typeof Radix.Root>, 'open' | 'onOpenChange'>

export function Menu({ button, className, children, ...state }: MenuProps) {
  return (
    <Radix.Root modal={false} {...state}>
      <Radix.Trigger {...button} />
      <Content className={className}>{children}</Content>
    </Radix.Root>
  )
}

type MoreProps = {
  label: string
  children: ReactNode
  className?: string
}

/** Mounts the menu when it is first opened: a list has one in each row, which would cost more than the rest of it. */
export function MoreButton({ label, children, className = '' }: MoreProps) {
  const [opened, setOpened] = useState<'by pointer' | 'by key'>()
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (opened !== 'by key') return
    // Radix has focused the menu itself by then; it knows only the keys that came after it was mounted.
    const timer = setTimeout(() => content.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus())
    return () => clearTimeout(timer)
  }, [opened])

  const button = {
    'aria-label': label,
    title: 'More',
    className: `grid size-8 shrink-0 place-items-center rounded-lg text-quiet hover:bg-mist hover:text-ink data-[state=open]:bg-mist max-lg:size-11 ${className}`,
    children: DOTS,
  }
  if (!opened) {
    return (
      <button
        {...button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={false}
        onClick={({ detail }) => setOpened(detail === 0 ? 'by key' : 'by pointer')}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpened('by key')
        }}
      />
    )
  }
  return (
    <Radix.Root modal={false} defaultOpen>
      <Radix.Trigger {...button} />
      <Radix.Portal>
        <Content ref={content}>{children}</Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

const DOTS = (
  <svg viewBox="0 0 16 16" className="size-4" fill="currentColor" aria-hidden="true">
    <circle cx="3" cy="8" r="1.4" />
    <circle cx="8" cy="8" r="1.4" />
    <circle cx="13" cy="8" r="1.4" />
  </svg>
)
