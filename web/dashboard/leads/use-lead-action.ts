import { useAction } from '../../ui/use-action.ts'

type Action<Input, Result> = Omit<Parameters<typeof useAction<Input, Result>>[0], 'changes'>

/** Returns a mutation that changes a lead. */
export function useLeadAction<Input, Result>(action: Action<Input, Result>) {
  return useAction({ ...action, changes: 'leads' })
}
