export function FieldError({ id, error }: { id: string; error?: string }) {
  return (
    <p id={id} className="mb-2 min-h-5.5 pt-1 text-[0.8125rem] leading-snug text-bad">
      {error}
    </p>
  )
}
