import { useAction } from '../../ui/use-action.ts'

type Action<Input, Result> = Omit<Parameters<typeof useAction<Input, Result>>[0], 'changes'>

/** Something that staff do to an application. */
export function useApplicationAction<Input, Result>(action: Action<Input, Result>) {
  return useAction({ ...action, changes: 'applications' })
}
