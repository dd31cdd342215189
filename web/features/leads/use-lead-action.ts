import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from '../../ui/toast.ts'

type Action<Input, Result> = {
  act: (input: Input) => Promise<Result>
  /** What the toasts say. The server's message, if there is one, follows `failed`. */
  done: string
  failed: string
}

/** Something that staff do to a lead: it says how it went, and the leads are asked for again either way. */
export function useLeadAction<Input, Result>({ act, done, failed }: Action<Input, Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: () => toast({ title: 'Success', description: done }),
    onError: ({ message }) => toast({ variant: 'destructive', title: failed, description: message }),
    onSettled: () => client.invalidateQueries({ queryKey: ['leads'] }),
  })
}
