import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Modal } from './dialog.tsx'

/** A modal dialog as high as the window, at its right side. It is open as long as it is rendered. */
export function Sheet({ title, children, onClose }: { title: string; children: ReactNode; onClose: () => void }) {
  return (
    <Modal
      label={title}
      className="right-0! left-auto! m-0! h-dvh! w-6xl max-w-full! overflow-y-auto rounded-none! sm:max-w-[calc(100vw-3rem)]! sm:rounded-l-lg!"
      onClose={onClose}
    >
      <div className="grid gap-4 p-4 text-sm lg:p-5">
        <div className="flex items-center justify-between gap-4">
          <h2 className="text-lg leading-6 font-semibold text-ink">{title}</h2>
          <Button variant="ghost" size="small" onClick={onClose} className="-mr-2 max-lg:min-h-11">
            Close
          </Button>
        </div>
        {children}
      </div>
    </Modal>
  )
}
