import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useEffect, useRef } from 'react'
import { type FieldErrors, type FieldPath, type FieldValues, type UseFormSetError, useForm } from 'react-hook-form'
import type { z } from 'zod'
import type { ConsentText } from '../../../core/contract/consent.ts'
import { HttpError } from '../../lib/http.ts'
import { useRefusedForm } from '../../lib/page-data.ts'
import { queryClient } from '../../lib/query-client.ts'
import { type SignsOfLife, useSignsOfLife } from '../../lib/signs-of-life.ts'
import { usePlainForm } from '../../lib/use-plain-form.ts'
import { toast } from '../../ui/toast.ts'

type Options<Fields extends FieldValues, Values, Receipt> = {
  schema: z.ZodType<Values, Fields>
  /** The fields from top to bottom. */
  names: readonly FieldPath<Fields>[]
  /** The call that takes the form. */
  action: string
  /** The consent that the form shows; the form names it. */
  consent: ConsentText
  send(values: Values, signs: SignsOfLife): Promise<Receipt>
  onSuccess(receipt: Receipt): void
  /** Tells the visitor that the form could not be sent. */
  onFailure?: (error: Error) => void
  /** Called when a form is sent that holds something wrong; the fields say what. */
  onInvalid?: (errors: FieldErrors<Fields>) => void
}

/**
 * A form's way from the fields to the answer. What was typed stays when sending it fails. The same form works without
 * this as well: it is a plain one (`PostForm`), which the browser posts itself until the page is hydrated.
 */
export function usePostForm<Fields extends FieldValues, Values, Receipt>(options: Options<Fields, Values, Receipt>) {
  const { schema, names, action, consent, onFailure = tellFailure } = options
  const plainForm = usePlainForm()
  const initial = useRefusedForm()
  const signsOfLife = useSignsOfLife()
  // Without default values the fields keep what the visitor has typed before this code was there.
  const form = useForm<Fields, unknown, Values>({ resolver: standardSchemaResolver(schema), mode: 'onTouched' })
  const sending = useMutation(
    { mutationFn: ({ values, signs }: { values: Values; signs: SignsOfLife }) => options.send(values, signs) },
    queryClient,
  )
  const sent = useBack(sending.reset)

  function submit(event: FormEvent<HTMLFormElement>) {
    const signs = signsOfLife(event.currentTarget)
    const send = (values: Values) =>
      sending.mutate(
        { values, signs },
        {
          onSuccess(receipt) {
            sent.current = true
            options.onSuccess(receipt)
          },
          onError(error) {
            onFailure(error)
            if (error instanceof HttpError) showFieldErrors(error, names, form.setError)
          },
        },
      )
    return form.handleSubmit(send, options.onInvalid)(event)
  }

  /** What is wrong with a field; the server's word on it counts until the visitor has been there or has changed it. */
  function errorAt(name: FieldPath<Fields>): string | undefined {
    const { error, isTouched, isDirty } = form.getFieldState(name, form.formState)
    const isMended = isTouched || isDirty || form.formState.isSubmitted
    return error?.message ?? (isMended ? undefined : initial?.errors[name])
  }

  /** What a field of text needs: its name, its handlers, what it starts with, what is wrong with it. */
  function bind(name: FieldPath<Fields>) {
    const values: Record<string, unknown> = initial?.values ?? {}
    return {
      ...form.register(name),
      defaultValue: values[name] as string | undefined,
      error: errorAt(name),
      // A refused form is a new page: the browser itself leads to what is wrong.
      autoFocus: name === names.find((each) => initial?.errors[each]),
    }
  }

  return {
    form,
    initial,
    errorAt,
    bind,
    consent,
    isSubmitting: sending.isPending || sending.isSuccess,
    formProps: {
      method: 'post',
      action,
      onSubmit: submit,
      ...plainForm,
    },
  }
}

function tellFailure(error: Error): void {
  toast({
    variant: 'destructive',
    title: 'Error',
    description: error.message || 'Failed to submit form. Please try again later.',
  })
}

function showFieldErrors<Fields extends FieldValues>(
  { fields = {} }: HttpError,
  names: readonly FieldPath<Fields>[],
  setError: UseFormSetError<Fields>,
): void {
  const wrong = names.filter((name) => fields[name])
  wrong.forEach((name, index) => {
    setError(name, { type: 'server', message: fields[name] }, { shouldFocus: index === 0 })
  })
}

/**
 * Back must not lead to a form that is still busy sending: neither when the browser brings the page back as it was left,
 * nor from a page that was not there yet, so that this one was never left.
 * @returns what to set once the form is sent
 */
function useBack(reset: () => void): RefObject<boolean> {
  // Not the state that is rendered: Back may come before React has rendered it.
  const sent = useRef(false)

  useEffect(() => {
    const onPageShow = (event: PageTransitionEvent) => event.persisted && reset()
    const onPopState = () => {
      if (sent.current) reset()
      sent.current = false
    }
    window.addEventListener('pageshow', onPageShow)
    window.addEventListener('popstate', onPopState)
    return () => {
      window.removeEventListener('pageshow', onPageShow)
      window.removeEventListener('popstate', onPopState)
    }
  }, [reset])

  return sent
}
