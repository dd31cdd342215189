import { Toaster as Sonner } from 'sonner'
import 'sonner/dist/styles.css'
import { SECOND } from '../../core/contract/time.ts'

const BELOW_HEADER = { top: 'var(--toast-top, 4.5rem)' }

/** Shows toasts: one at a time, for five seconds, at most 420 px wide. */
export function Toaster() {
  const isForStaff = document.documentElement.dataset.scheme !== undefined
  return (
    <Sonner
      position="bottom-right"
      visibleToasts={1}
      duration={5 * SECOND}
      closeButton
      offset={isForStaff ? undefined : BELOW_HEADER}
      // Above the bar of tabs that the dashboard has on a phone.
      mobileOffset={isForStaff ? { bottom: '4.5rem' } : BELOW_HEADER}
      style={{ '--width': 'min(420px, calc(100vw - 2rem))' } as React.CSSProperties}
      toastOptions={{
        classNames: {
          toast: 'pr-11! font-sans! rounded-xl! border-line! text-[0.9375rem]! shadow-lg!',
          title: 'font-semibold!',
          description: 'text-inherit! wrap-anywhere!',
          default: 'bg-background! text-ink!',
          closeButton:
            'top-2! right-2! left-auto! size-7! transform-none! border-0! bg-transparent! text-inherit! hover:bg-black/10!',
          error: 'border-bad! bg-bad! text-background!',
        },
      }}
    />
  )
}
