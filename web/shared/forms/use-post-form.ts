import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import {
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type PathValue,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import type { z } from 'zod'
import type { ConsentText } from '../../../core/contract/consent.ts'
import type { ReturnedForm } from '../../../core/contract/page.ts'
import { HttpError } from '../../lib/http.ts'
import { hasBeenTouched, isRebuilt } from '../../lib/hydration.ts'
import { useReturnedForm } from '../../lib/page-data.ts'
import { queryClient } from '../../lib/query-provider.tsx'
import { useHydrated, usePlainForm } from '../../lib/use-hydrated.ts'
import { dismissProblem, toast } from '../../ui/toast.ts'

type Options<Fields extends FieldValues, Values, Receipt> = {
  schema: z.ZodType<Values, Fields>
  names: readonly FieldPath<Fields>[]
  action: string
  consent: ConsentText
  send(values: Values, signs: SignsOfLife): Promise<Receipt>
  onSuccess(receipt: Receipt): void
  onFailure?: (error: Error) => void
  onInvalid?: (errors: FieldErrors<Fields>) => void
}

/** Keeps the input if sending fails. Until hydration the browser posts the form without this code (`PostForm`). */
export function usePostForm<Fields extends FieldValues, Values, Receipt>(options: Options<Fields, Values, Receipt>) {
  const { schema, names, action, consent, onFailure = showFailure } = options
  const plainForm = usePlainForm()
  const initial = useReturnedForm()
  const signsOfLife = useSignsOfLife()
  // Without default values the fields keep the input from before hydration.
  const form = useForm<Fields, unknown, Values>({ resolver: standardSchemaResolver(schema), mode: 'onTouched' })
  const sending = useMutation(
    { mutationFn: ({ values, signs }: { values: Values; signs: SignsOfLife }) => options.send(values, signs) },
    queryClient,
  )
  const sent = useBack(sending.reset)
  // With the page, a toast about its form goes.
  useEffect(() => dismissProblem, [])

  function submit(event: FormEvent<HTMLFormElement>) {
    dismissProblem()
    takeChecked(event.currentTarget, names, form)
    const signs = signsOfLife(event.currentTarget)
    const onSuccess = (receipt: Receipt) => {
      sent.current = true
      dismissProblem()
      options.onSuccess(receipt)
    }
    const onError = (error: Error) => {
      onFailure(error)
      if (!isAboutFields(error)) return
      const { fields = {} } = error
      names
        .filter((name) => fields[name])
        .forEach((name, index) => {
          form.setError(name, { type: 'server', message: fields[name] }, { shouldFocus: index === 0 })
        })
      centerFocusLater()
    }
    const refuse = (errors: FieldErrors<Fields>) => {
      options.onInvalid?.(errors)
      centerFocusLater()
    }
    return form.handleSubmit((values) => sending.mutate({ values, signs }, { onSuccess, onError }), refuse)(event)
  }

  /** Returns the error of a field. The server's error stays until the visitor has visited or changed the field. */
  function errorAt(name: FieldPath<Fields>): string | undefined {
    const { error, isTouched, isDirty } = form.getFieldState(name, form.formState)
    const isMended = isTouched || isDirty || form.formState.isSubmitted
    return error?.message ?? (isMended ? undefined : initial?.errors[name])
  }

  function bind(name: FieldPath<Fields>) {
    const values: Record<string, unknown> = initial?.values ?? {}
    return {
      ...form.register(name),
      defaultValue: values[name] as string | undefined,
      error: errorAt(name),
      // A returned form is a new page, so the browser itself focuses the field.
      autoFocus: name === fieldToMend(initial, names),
    }
  }

  return {
    ...{ form, initial, errorAt, bind, consent },
    isSubmitting: sending.isPending || sending.isSuccess,
    /** Why the last try failed, until the next one. Errors of fields stand at the fields. */
    failure: sending.error && !isAboutFields(sending.error) ? sending.error : null,
    formProps: { method: 'post', action, onSubmit: submit, ...plainForm },
  }
}

/** Takes a checkbox as it is on the page: browsers check one without an event, too. For other fields `client.tsx` makes one. */
function takeChecked<Fields extends FieldValues, Values>(
  element: HTMLFormElement,
  names: readonly FieldPath<Fields>[],
  { getValues, setValue }: UseFormReturn<Fields, unknown, Values>,
): void {
  for (const name of names) {
    const field = element.elements.namedItem(name)
    if (!(field instanceof HTMLInputElement && field.type === 'checkbox') || field.checked === getValues(name)) continue
    setValue(name, field.checked as PathValue<Fields, typeof name>)
  }
}

/** Returns the first field with an error, or the first empty one of a form without errors, which is still to be filled in. */
function fieldToMend<Name extends string>(initial: ReturnedForm | undefined, names: readonly Name[]): Name | undefined {
  if (!initial) return undefined
  const values: Record<string, unknown> = initial.values
  const hasErrors = Object.keys(initial.errors).length > 0
  return names.find((name) => (hasErrors ? initial.errors[name] : !values[name]))
}

function showFailure(error: Error): void {
  toast({
    variant: 'destructive',
    title: 'Error',
    description: error.message || 'Failed to submit form. Please try again later.',
    isAlsoSaid: !isAboutFields(error),
  })
}

/** Returns whether the server refused fields. Otherwise `SubmitButton` says that the form was not sent. */
export function isAboutFields(error: Error): error is HttpError {
  return error instanceof HttpError && error.fields !== undefined
}

/** Brings the field that has just got the focus to the middle of the window: no toast and no header covers it there. */
function centerFocusLater(): void {
  setTimeout(() => document.activeElement?.scrollIntoView({ block: 'center' }))
}

/**
 * Resets the form when the browser's Back returns to it, so that it is never shown as still sending. Covers pages
 * restored from the browser's cache and pages reached without a reload.
 * @returns a ref to set once the form is sent
 */
function useBack(reset: () => void): RefObject<boolean> {
  // A ref instead of state, because Back may come before React has rendered the state.
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

/** Tells a person from a program that fills in forms. */
export type SignsOfLife = {
  /** Time from the first rendering of the form to its submission, in milliseconds. */
  elapsed_ms: number
  /** Whether the page has seen a touch, a mouse or a key. */
  touched: boolean
  /** The value of the hidden field, which people leave empty. */
  topic?: string
}

function useSignsOfLife(): (form: HTMLFormElement) => SignsOfLife {
  const isHydrated = useHydrated()
  // A form that came with the page's HTML was there from the start of the page; any other from its first rendering.
  const [cameWithPage] = useState(() => !isHydrated || isRebuilt())
  const shownAt = useRef(0)

  useEffect(() => {
    if (!cameWithPage) shownAt.current = performance.now()
  }, [cameWithPage])

  return (form) => ({
    elapsed_ms: Math.round(performance.now() - shownAt.current),
    touched: hasBeenTouched(),
    topic: String(new FormData(form).get('topic') ?? '') || undefined,
  })
}
