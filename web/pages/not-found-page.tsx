import { Link } from 'react-router-dom'
import { paths } from '../paths.ts'
import { buttonClass } from '../ui/button.tsx'
import { PageMeta } from '../ui/page-meta.tsx'

export function NotFoundPage() {
  return (
    <div className="mx-auto grid max-w-2xl justify-items-start gap-5 px-4 py-20 sm:px-6 lg:py-32">
      <PageMeta title="Page Not Found" hidden />
      <h1 className="font-display text-5xl font-medium text-ink">Page Not Found</h1>
      <p className="text-lg">Did you forget to add the page to the router?</p>
      <Link to={paths.home} className={buttonClass()}>
        Go to the home page
      </Link>
    </div>
  )
}
