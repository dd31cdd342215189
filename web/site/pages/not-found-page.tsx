import { paths } from '../../pages.ts'
import { FormLink, PageLink } from '../../shared/page-link.tsx'
import { PageMeta } from '../../shared/page-meta.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Drawing } from '../../ui/drawing.tsx'

export function NotFoundPage() {
  return (
    <div className="relative isolate grid grow overflow-clip bg-mist">
      <PageMeta title="Page Not Found" hidden />
      <Drawing
        of="dial"
        className="absolute top-full left-full -z-10 size-[32rem] -translate-1/2 text-edge sm:size-[38rem] lg:top-1/2 lg:left-[80%] lg:size-[58rem]"
      />
      <div className="mx-auto grid w-full max-w-6xl content-center justify-items-start gap-5 px-4 pt-20 pb-64 sm:px-6 lg:py-36">
        <h1 className="font-display text-5xl leading-tight font-medium text-ink sm:text-6xl">Page Not Found</h1>
        <p className="max-w-[40ch] text-xl text-ink">
          If you followed a link, it may be out of date. Nothing you sent us is lost. You can continue from here.
        </p>
        <div className="mt-3 flex flex-wrap gap-3">
          <PageLink to={paths.home} className={buttonClass()}>
            Go to the home page
          </PageLink>
          <FormLink className={buttonClass({ variant: 'outline' })}>Find a provider</FormLink>
        </div>
        <p className="text-sm text-quiet">Did you forget to add the page to the router?</p>
      </div>
    </div>
  )
}
