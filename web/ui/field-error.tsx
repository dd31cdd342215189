export function FieldError({ id, error }: { id: string; error?: string }) {
  return (
    <p id={id} className="mb-1 min-h-5 pt-0.5 text-[0.8125rem] leading-snug text-bad">
      {error}
    </p>
  )
}
