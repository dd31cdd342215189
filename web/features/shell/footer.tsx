import { Link } from 'react-router-dom'
import { brand } from '../../../core/brand.ts'
import { paths } from '../../paths.ts'
import { Logo } from '../../ui/logo.tsx'

export function Footer() {
  return (
    <footer className="on-dark bg-night text-lilac">
      <div className="mx-auto grid max-w-6xl gap-x-16 gap-y-6 px-4 py-12 sm:px-6 md:grid-cols-[auto_1fr]">
        <div>
          <Link to={paths.home} aria-label={`${brand.company}, home`} className="inline-block rounded-md text-white">
            <Logo />
          </Link>
        </div>
        <div className="max-w-prose text-sm leading-relaxed md:justify-self-end">
          <p>
            Results vary from person to person and are not guaranteed. What you read here is information, not medical
            advice. {brand.company} is not a medical provider: consultations, treatment, fees and refunds are handled by
            independent providers.
          </p>
          <p className="mt-4">
            © {new Date().getFullYear()} {brand.company}. All rights reserved.
          </p>
        </div>
      </div>
    </footer>
  )
}
