import { useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { usePageData } from '../lib/page-data.ts'
import { anchors, pageAt, paths } from '../pages.ts'
import { PhoneLink } from '../shared/contact-links.tsx'
import { FormLink, PageLink, SectionLink } from '../shared/page-link.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Icon } from '../ui/drawing.tsx'
import { ProviderLogo } from './providers/with-provider-of-page.tsx'

/** The pages that are one form, where nothing leads elsewhere. */
export const FORM_PAGES = [paths.start, paths.findProvider]

/** Beside our own logo, which cannot get smaller, widely spaced words take a second line. */
const NARROW =
  'max-[22.5rem]:in-[header:has([data-logo])]:shrink max-[22.5rem]:in-[header:has([data-logo])]:whitespace-normal!'

/**
 * Shows the header. On the map page it is only the logo, and on a page that is one form it has no navigation. After a form
 * was sent it asks for no second one. The phone of a clinic is left of the button, on large screens.
 */
export function Header({ phone }: { phone?: string | null }) {
  const { pathname } = useLocation()
  const menu = useMenu()

  return (
    <header ref={menu.header} className="sticky top-0 z-20 border-b border-line bg-white print:static print:border-0">
      <div
        className={`mx-auto flex min-h-16 items-center gap-x-2 px-4 max-[18rem]:gap-x-1 max-[18rem]:px-3 sm:gap-x-5 sm:px-6 lg:gap-x-6 noscript:flex-wrap noscript:max-md:pt-2 ${pathname === paths.map ? 'max-w-[90rem]' : 'max-w-6xl'}`}
      >
        <PageLink
          to={paths.home}
          aria-current={pathname === paths.home ? 'page' : undefined}
          className="mr-auto flex min-w-0 items-center rounded-md text-primary has-data-logo:shrink-0"
        >
          <ProviderLogo />
          <span className="sr-only"> home</span>
        </PageLink>
        {pathname !== paths.map && (
          <>
            {!FORM_PAGES.includes(pathname) && (
              <>
                <MenuToggle menu={menu} />
                <Navigation menu={menu} />
              </>
            )}
            {phone && (
              <PhoneLink
                phone={phone}
                className="flex min-h-11 items-center font-semibold whitespace-nowrap text-secondary hover:underline hover:underline-offset-4 max-xl:hidden print:hidden"
              />
            )}
            {pathname !== paths.success && (
              <FormLink
                className={`${buttonClass({ size: 'small' })} min-h-10! shrink-0 max-[22.5rem]:px-2! sm:px-5! print:hidden ${NARROW}`}
                onClick={menu.close}
              >
                {pageAt(pathname)?.action ?? 'Find a Provider'}
              </FormLink>
            )}
          </>
        )}
      </div>
    </header>
  )
}

/** On a small screen the navigation is a panel below the header, or a part of it without JavaScript. */
function Navigation({ menu: { id, isOpen, close: onChoose } }: { menu: Menu }) {
  return (
    <nav
      id={id}
      aria-label="Main"
      className={`${isOpen ? 'block animate-appear' : 'hidden'} order-last w-full shrink-0 bg-white max-md:absolute max-md:inset-x-0 max-md:top-full max-md:max-h-[calc(100dvh-4rem)] max-md:overflow-y-auto max-md:border-y max-md:border-line max-md:px-4 max-md:py-3 max-md:shadow-xl max-md:shadow-night/15 sm:max-md:px-6 md:order-none md:block md:w-auto noscript:block noscript:max-md:static noscript:max-md:mt-2 noscript:max-md:border-b-0 noscript:max-md:p-0 noscript:max-md:shadow-none print:hidden`}
    >
      <ul className="flex flex-col gap-x-5 md:flex-row lg:gap-x-6 noscript:flex-row noscript:flex-wrap">
        {useNavItems().map((item) => (
          <li key={item.label} className="border-line not-last:max-md:border-b noscript:border-0!">
            {'anchor' in item ? (
              <SectionLink anchor={item.anchor} onClick={onChoose} className={NAV_LINK}>
                {item.label}
              </SectionLink>
            ) : (
              <PageLink to={item.to} onClick={onChoose} className={NAV_LINK}>
                {item.label}
              </PageLink>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}

const NAV_LINK =
  'block rounded py-3.5 text-lg font-medium text-ink hover:text-secondary md:py-2 md:text-[0.9375rem] lg:text-base noscript:py-2 noscript:text-base'

type Menu = ReturnType<typeof useMenu>

function MenuToggle({ menu: { id, isOpen, toggle, toggleButton } }: { menu: Menu }) {
  return (
    <button
      ref={toggleButton}
      type="button"
      aria-expanded={isOpen}
      aria-controls={id}
      aria-label={isOpen ? 'Close menu' : 'Open menu'}
      onClick={toggle}
      className="order-last -mr-2 grid size-11 shrink-0 place-items-center rounded-full text-ink hover:bg-mist md:hidden noscript:hidden print:hidden"
    >
      <Icon d={isOpen ? 'M6 6l12 12M18 6L6 18' : 'M4 7h16M4 12h16M4 17h16'} className="size-6" />
    </button>
  )
}

type NavItem = { label: string; anchor: string; goesWithOffer?: true } | { label: string; to: string }

const navItems: NavItem[] = [
  { label: 'How It Works', anchor: anchors.howItWorks },
  { label: 'Results', anchor: anchors.sizeCalculator },
  { label: 'FAQs', anchor: anchors.faq },
  { label: 'Provider Map', to: paths.map },
]

/** Returns the links of the page. That to the special offer goes with the offer. */
function useNavItems(): readonly NavItem[] {
  const { nav = navItems } = pageAt(useLocation().pathname) ?? {}
  const { offerIsOver } = usePageData()
  return offerIsOver ? nav.filter((item) => !('goesWithOffer' in item)) : nav
}

/** The menu closes with Escape, which focuses the toggle, and when pointer or focus leaves the header. */
function useMenu() {
  const id = useId()
  const header = useRef<HTMLElement>(null)
  const toggleButton = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)

  useEffect(() => {
    if (!isOpen) return

    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      toggleButton.current?.focus()
    }
    const closeFromOutside = (event: Event) => {
      if (!header.current?.contains(event.target as Node)) setOpen(false)
    }
    const listeners = new AbortController()
    const { signal } = listeners
    document.addEventListener('keydown', closeOnEscape, { signal })
    document.addEventListener('pointerdown', closeFromOutside, { signal })
    document.addEventListener('focusin', closeFromOutside, { signal })
    return () => listeners.abort()
  }, [isOpen])

  return { id, header, toggleButton, isOpen, toggle: () => setOpen((open) => !open), close: () => setOpen(false) }
}
