import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from './toast.ts'

export type Action<Input, Result> = {
  act: (input: Input) => Promise<Result>
  /** The text of the success toast, or a function that may return it. */
  done?: string | ((result: Result, input: Input) => unknown)
  /** The title of the toast of a failure. The server's message, if there is one, follows. */
  failed: string | ((input: Input) => string)
  changes: string
  key?: string[]
}

/** Reports the result in a toast and, also after a failure, invalidates the queries that it may have changed. */
export function useAction<Input, Result>({ act, done, failed, changes, key }: Action<Input, Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: key,
    mutationFn: act,
    onSuccess: (result, input) => {
      const said = typeof done === 'function' ? done(result, input) : done
      if (typeof said === 'string') toast({ title: 'Success', description: said })
    },
    onError: ({ message }, input) => {
      const title = typeof failed === 'string' ? failed : failed(input)
      toast({ variant: 'destructive', title, description: message })
    },
    onSettled: () => client.invalidateQueries({ queryKey: [changes] }),
  })
}
