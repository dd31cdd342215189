import { brand } from '../../../../core/brand/brand.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'

/** New recovery codes, which are shown this once. */
export function RecoveryCodeList({ codes, onSaved }: { codes: string[]; onSaved: () => void }) {
  const text = `Recovery codes for the ${brand.company} dashboard. Each works once.\n\n${codes.join('\n')}\n`

  async function copy() {
    await navigator.clipboard.writeText(codes.join('\n')).then(
      () => toast({ title: 'Success', description: 'The codes are copied' }),
      () => toast({ variant: 'destructive', title: 'Failed to copy', description: 'Select the codes and copy them.' }),
    )
  }

  return (
    <section aria-labelledby="new-recovery-codes" className="pt-5">
      <h3 id="new-recovery-codes" className="font-semibold text-ink">
        Save your recovery codes
      </h3>
      <p className="text-sm text-quiet">
        With one of them you can sign in when your phone or passkey is lost. They are not shown again.
      </p>
      <ul
        aria-label="Recovery codes"
        className="mt-4 grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-lg border border-line bg-mist px-4 py-3 font-mono text-ink select-all"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button variant="outline" onClick={copy}>
          Copy
        </Button>
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="recovery-codes.txt"
          className={buttonClass({ variant: 'outline' })}
        >
          Download
        </a>
        <Button onClick={onSaved}>I have saved them</Button>
      </div>
    </section>
  )
}
