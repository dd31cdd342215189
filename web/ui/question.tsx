export type QuestionAndAnswer = { question: string; answer: string }

/** Renders a question that opens to its answer. The browser keeps at most one of the same name open. */
export function Question({ question, answer, name = 'faq' }: QuestionAndAnswer & { name?: string }) {
  return (
    <details name={name} className="group border-b border-line">
      <summary className="flex list-none items-start justify-between gap-x-6 rounded py-5 font-display text-xl text-ink hover:text-secondary sm:text-2xl [&::-webkit-details-marker]:hidden">
        <h3>{question}</h3>
        <svg viewBox="0 0 24 24" className="mt-1 size-6 shrink-0 text-secondary" fill="none" aria-hidden="true">
          <path d="M4 12h16" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
          <path
            d="M12 4v16"
            stroke="currentColor"
            strokeWidth="1.75"
            strokeLinecap="round"
            className="origin-center transition-transform group-open:scale-y-0"
          />
        </svg>
      </summary>
      <p className="max-w-[64ch] pt-1 pb-6 leading-relaxed">{answer}</p>
    </details>
  )
}
