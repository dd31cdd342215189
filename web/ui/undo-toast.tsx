import { Button } from './button.tsx'
import { dismissToast, type Toast, toast } from './toast.ts'

type Undoable = Omit<Toast, 'id' | 'action'> & {
  /** A dismissed toast does not come back under its id, so each has a new one. */
  id?: string
  onUndo: () => void
}

/** Shows a toast with a button that takes back what it tells of. */
export function offerUndo({ id = `undo-${Date.now()}`, onUndo, ...rest }: Undoable): void {
  toast({
    ...rest,
    id,
    action: (
      <Button
        variant="outline"
        size="small"
        className="ml-auto"
        onClick={() => {
          dismissToast(id)
          onUndo()
        }}
      >
        Undo
      </Button>
    ),
  })
}
