import { type ReactNode, useId, useState } from 'react'
import { beforeGoingLive } from '../../../core/brand/go-live.ts'
import { type Setup, SetupStep, skipStep } from '../../../core/conditions/contract/integrations.ts'
import { act } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { useAction } from '../../ui/use-action.ts'
import { CrmStep, MailStep, SETUP, type StepState, statesOf, TeamStep, useSetup, WordPressStep } from './steps.tsx'
import { TestLeadStep } from './test-lead-step.tsx'

const TITLES: Record<SetupStep, string> = {
  mail: 'Send email',
  crm: 'Connect the CRM',
  wordpress: 'Read the providers from WordPress',
  team: 'Invite your team',
  test_lead: 'Send a test lead',
}

/** Shows what is left to do before the first lead, and lets managers test each part. */
export function SetupPanel() {
  return (
    <div className="mx-auto grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4 text-sm">
      <Loaded of={useSetup()} fallback="Failed to load the setup" className="h-96 w-full">
        {(setup) => <Steps setup={setup} />}
      </Loaded>
      <BeforeGoingLive />
    </div>
  )
}

/** Lists what is still a placeholder or must be decided before real visitors come. It stops nothing. */
function BeforeGoingLive() {
  const points = beforeGoingLive()
  return (
    <section aria-labelledby="before-going-live" className="rounded-lg border border-line bg-background px-4 py-3">
      <h2 id="before-going-live" className="font-semibold text-ink">
        Before you go live
      </h2>
      <p className="mt-1 text-quiet">
        Replace or decide these before you show the site to real visitors. The company’s own data is in{' '}
        <Code>core/brand</Code>.
      </p>
      <ul className="mt-2 divide-y divide-line">
        {points.map(({ what, why }) => (
          <li key={what} className="py-1.5">
            <p className="wrap-anywhere text-ink">{what}</p>
            <p className="text-quiet">{why}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Steps({ setup }: { setup: Setup }) {
  const states = statesOf(setup)
  const left = SetupStep.options.filter((step) => states[step] === 'open')
  const done = SetupStep.options.filter((step) => states[step] === 'done').length
  // Stays as it was when the step gets done, so that its result is seen.
  const [opened, setOpened] = useState<SetupStep | null>(left[0] ?? null)
  const contents: Record<SetupStep, ReactNode> = {
    mail: <MailStep mail={setup.mail} />,
    crm: <CrmStep crm={setup.crm} hasWorker={setup.has_worker} />,
    wordpress: <WordPressStep wordpress={setup.wordpress} />,
    team: <TeamStep team={setup.team} />,
    test_lead: <TestLeadStep step={setup.test_lead} crmKind={setup.crm.kind} />,
  }
  return (
    <>
      <div>
        <h2 className="text-base font-semibold text-ink">{left.length > 0 ? 'Setup' : 'Everything is set up'}</h2>
        <p className="mt-1 text-quiet">
          {left.length > 0
            ? 'Connections are made by environment variables. Test each of them here, then send a test lead.'
            : 'You can reopen this page from the command menu (⌘K or Ctrl+K).'}
        </p>
        <div className="mt-3 flex items-center gap-3">
          <ProgressBar label="Steps done" value={done} max={SetupStep.options.length} />
          <p className="whitespace-nowrap text-quiet tabular-nums">
            {done} of {SetupStep.options.length} done
          </p>
        </div>
      </div>
      {!setup.has_worker && (
        <p role="status" className="rounded-lg border border-bad bg-bad-soft px-4 py-3 text-bad">
          No worker is running, so nothing is sent. Start one with <Code>npm run start:worker</Code>. If a setting is
          missing, its log lists each of them.
        </p>
      )}
      <ol className="divide-y divide-line rounded-lg border border-line bg-background">
        {SetupStep.options.map((step, index) => (
          <Step
            key={step}
            {...{ step, number: index + 1, state: states[step] }}
            isOpen={opened === step}
            onToggle={() => setOpened(opened === step ? null : step)}
            onSkipped={() => setOpened(left.find((other) => other !== step) ?? null)}
          >
            {contents[step]}
          </Step>
        ))}
      </ol>
    </>
  )
}

type StepProps = {
  step: SetupStep
  number: number
  state: StepState
  isOpen: boolean
  onToggle: () => void
  onSkipped: () => void
  children: ReactNode
}

function Step({ step, number, state, isOpen, onToggle, onSkipped, children }: StepProps) {
  const id = useId()
  const skip = useAction({
    act: (skipped: boolean) => act(skipStep, { body: { step, skipped } }),
    done: (_, skipped) => skipped && onSkipped(),
    failed: 'Failed to skip the step',
    changes: SETUP,
  })
  return (
    <li>
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={onToggle}
          className="flex min-h-12 w-full items-center gap-3 px-4 py-2 text-left -outline-offset-3 hover:bg-mist"
        >
          <Mark state={state} number={number} />
          <span className="min-w-0 flex-1 font-semibold text-ink">{TITLES[step]}</span>
          <span className={state === 'done' ? 'text-good' : 'text-quiet'}>{WORDS[state]}</span>
          <svg
            viewBox="0 0 16 16"
            className={`size-3.5 shrink-0 text-quiet transition-transform ${isOpen ? 'rotate-180' : ''}`}
            aria-hidden="true"
          >
            <path d="m3 6 5 5 5-5" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
          </svg>
        </button>
      </h3>
      <div id={id} hidden={!isOpen} className="px-4 pt-1 pb-4 sm:pl-13">
        {isOpen && children}
        {isOpen && state !== 'done' && (
          <Button
            variant="ghost"
            size="small"
            className="mt-2 -ml-3"
            busy={skip.isPending}
            onClick={() => skip.mutate(state === 'open')}
          >
            {state === 'open' ? 'Skip this step' : 'Do not skip'}
          </Button>
        )}
      </div>
    </li>
  )
}

const WORDS: Record<StepState, string> = { done: 'Done', skipped: 'Skipped', open: '' }

function Mark({ state, number }: { state: StepState; number: number }) {
  if (state === 'done')
    return (
      <svg viewBox="0 0 24 24" className="size-6 shrink-0 text-good" aria-hidden="true">
        <circle cx="12" cy="12" r="11" fill="currentColor" />
        <path
          d="m7.5 12.5 3 3 6-7"
          fill="none"
          className="stroke-background"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
    )
  return (
    <span
      aria-hidden="true"
      className="grid size-6 shrink-0 place-items-center rounded-full border border-edge text-xs font-semibold text-quiet tabular-nums"
    >
      {state === 'skipped' ? '–' : number}
    </span>
  )
}

function Code({ children }: { children: string }) {
  return <code className="font-mono text-[0.8125rem] whitespace-nowrap">{children}</code>
}
