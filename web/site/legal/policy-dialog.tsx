import { Dialog } from '../../ui/dialog.tsx'
import { LastUpdated, type Policy, SectionText } from './policy-text.tsx'

type Props = { title: string; policy: Policy; onClose: () => void }

export function PolicyDialog({ title, policy: { updated, intro, sections }, onClose }: Props) {
  return (
    <Dialog
      title={title}
      isSheet
      onClose={onClose}
      className="flex max-h-[inherit] w-2xl max-w-full flex-col pt-6 [&>:first-child]:px-5 sm:[&>:first-child]:px-8"
      hasClose
    >
      <section
        aria-label={title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
        tabIndex={0}
        className="mt-4 min-h-0 overflow-y-auto overscroll-contain border-t border-line px-5 pt-5 leading-relaxed focus-visible:-outline-offset-3 sm:px-8 after:pointer-events-none after:sticky after:bottom-0 after:block after:h-12 after:bg-linear-to-t after:from-background"
      >
        <LastUpdated day={updated} className="text-sm text-quiet" />
        <p className="mt-3">{intro}</p>
        {sections.map(({ id, title, text, data }, index) => (
          <div key={id} className="mt-6">
            <h3 className="font-semibold text-ink">
              {index + 1}. {title}
            </h3>
            <SectionText {...{ text, data }} />
          </div>
        ))}
      </section>
    </Dialog>
  )
}
