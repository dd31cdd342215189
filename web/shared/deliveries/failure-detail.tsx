/** What the mail server, the CRM or the network said about a failure, in its own words. */
export function FailureDetail({ detail }: { detail: string | null | undefined }) {
  if (!detail) return null
  return <p className="wrap-anywhere text-quiet">Details: {detail}</p>
}
