import { Toaster as Sonner } from 'sonner'
import 'sonner/dist/styles.css'
import { SECOND } from '../lib/time.ts'

/** Where toasts appear: one at a time, for five seconds, at most 420 px wide. */
export function Toaster() {
  return (
    <Sonner
      position="bottom-right"
      visibleToasts={1}
      duration={5 * SECOND}
      closeButton
      style={{ '--width': 'min(420px, calc(100vw - 2rem))' } as React.CSSProperties}
      toastOptions={{
        classNames: {
          toast: 'font-sans! rounded-xl! border-line! text-[0.9375rem]! shadow-lg!',
          title: 'font-semibold!',
          description: 'text-inherit! wrap-anywhere!',
          default: 'bg-white! text-ink!',
          error: 'border-bad! bg-bad! text-white!',
        },
      }}
    />
  )
}
