import { type ComponentProps, type MouseEvent, useLayoutEffect, useRef } from 'react'

const BASE =
  'inline-flex items-center justify-center gap-2 rounded-full staff:rounded-lg text-center font-semibold transition-colors forced-colors:border disabled:cursor-not-allowed disabled:not-aria-busy:opacity-50'

const VARIANTS = {
  primary: 'bg-secondary text-background not-disabled:hover:bg-primary',
  light: 'bg-background text-primary not-disabled:hover:bg-lilac',
  outline:
    'border border-edge bg-background text-ink not-disabled:hover:border-secondary not-disabled:hover:text-secondary',
  danger: 'bg-bad text-background not-disabled:hover:bg-bad-deep',
  ghost: 'text-secondary not-disabled:hover:bg-mist',
  quietDanger: 'text-bad not-disabled:hover:bg-bad-soft',
} as const

const SIZES = {
  small: 'min-h-8 px-3 py-1 text-sm whitespace-nowrap staff:max-lg:min-h-11',
  medium: 'min-h-11 px-5 py-2 staff:lg:min-h-9 staff:px-4 staff:py-1 staff:text-sm',
  large: 'min-h-13 px-6 py-3 text-lg leading-tight sm:px-7',
} as const

type Look = { variant?: keyof typeof VARIANTS; size?: keyof typeof SIZES }

/** The classes of a button, for links that look like one. */
export function buttonClass({ variant = 'primary', size = 'medium' }: Look = {}): string {
  return `${BASE} ${VARIANTS[variant]} ${SIZES[size]}`
}

export function Button({
  variant = 'primary',
  size = 'medium',
  busy = false,
  className = '',
  children,
  onClick,
  ...button
}: ComponentProps<'button'> & Look & { busy?: boolean }) {
  const keepPlace = useFocusAfter(busy)
  return (
    <button
      type="button"
      {...button}
      onClick={(event) => {
        keepPlace(event)
        onClick?.(event)
      }}
      disabled={button.disabled || busy}
      aria-busy={busy || undefined}
      className={`${BASE} ${VARIANTS[variant]} ${SIZES[size]} ${className}`}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}

/** Gives a pressed button the focus back when it is no longer busy: browsers take it from a button that is disabled. */
function useFocusAfter(busy: boolean) {
  const pressed = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (busy) return
    if (document.activeElement === document.body) pressed.current?.focus({ preventScroll: true })
    pressed.current = null
  }, [busy])
  return ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    pressed.current = currentTarget
  }
}

function Spinner() {
  return (
    <svg viewBox="0 0 24 24" className="size-4 shrink-0 animate-spin" aria-hidden="true">
      <circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" strokeWidth="3" opacity="0.3" />
      <path d="M21 12a9 9 0 0 0-9-9" fill="none" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
    </svg>
  )
}

export function SmallButton(button: ComponentProps<typeof Button>) {
  return <Button variant="outline" size="small" {...button} />
}
