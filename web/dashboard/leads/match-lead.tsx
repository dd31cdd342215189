import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Lead } from '../../../core/contract/leads.ts'
import { toast } from '../../ui/toast.ts'
import { MatchDialog } from './match-dialog.tsx'
import { leadQuery } from './use-shown-rows.ts'

type Props = { id: number; onMatched: (lead: Lead) => void; onClose: () => void }

/** Matches a lead that has no clinic, by its id. */
export function MatchLead({ id, onMatched, onClose }: Props) {
  const { data, error } = useQuery(leadQuery(id))
  useEffect(() => {
    if (!error) return
    toast({ variant: 'destructive', title: 'Failed to load the lead', description: error.message })
    onClose()
  }, [error, onClose])
  return data ? <MatchDialog lead={data} provider={data.clinic?.name} {...{ onMatched, onClose }} /> : null
}
