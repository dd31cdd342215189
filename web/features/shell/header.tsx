import { Link } from 'react-router-dom'
import { brand } from '../../../core/brand.ts'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { FormLink } from '../../ui/form-link.tsx'
import { Logo } from '../../ui/logo.tsx'
import { navItems } from './nav-items.ts'
import { useMenu } from './use-menu.ts'

export function Header() {
  const menu = useMenu()
  const hasItems = navItems.length > 0

  return (
    <header className="sticky top-0 z-20 border-b border-line bg-white">
      <div className="mx-auto flex min-h-16 max-w-6xl flex-wrap items-center gap-x-6 px-4 sm:px-6">
        <Link to={paths.home} aria-label={`${brand.company}, home`} className="mr-auto rounded-md text-primary">
          <Logo />
        </Link>
        {hasItems && (
          <nav
            id={menu.id}
            aria-label="Main"
            className={`${menu.isOpen ? 'block' : 'hidden'} order-last w-full border-t border-line py-2 lg:order-none lg:block lg:w-auto lg:border-0 lg:py-0`}
          >
            <NavList onChoose={menu.close} />
          </nav>
        )}
        <FormLink className={`${buttonClass({ size: 'small' })} min-h-10! sm:px-5!`} onClick={menu.close}>
          Find a Provider
        </FormLink>
        {hasItems && <MenuToggle {...menu} />}
      </div>
    </header>
  )
}

function NavList({ onChoose }: { onChoose: () => void }) {
  return (
    <ul className="flex flex-col gap-x-6 lg:flex-row">
      {navItems.map(({ label, to }) => (
        <li key={label}>
          <Link to={to} onClick={onChoose} className="block rounded py-2 font-medium text-ink hover:text-secondary">
            {label}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function MenuToggle({ id, isOpen, toggle }: ReturnType<typeof useMenu>) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={id}
      aria-label={isOpen ? 'Close menu' : 'Open menu'}
      onClick={toggle}
      className="grid size-11 place-items-center rounded-full text-ink hover:bg-mist lg:hidden"
    >
      <svg viewBox="0 0 24 24" className="size-6" aria-hidden="true">
        <path
          d={isOpen ? 'M6 6l12 12M18 6L6 18' : 'M4 7h16M4 12h16M4 17h16'}
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
        />
      </svg>
    </button>
  )
}
