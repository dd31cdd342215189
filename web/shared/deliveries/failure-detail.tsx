/** Shows the error text of the mail server, the CRM or the network. */
export function FailureDetail({ detail }: { detail: string | null | undefined }) {
  if (!detail) return null
  return <p className="wrap-anywhere text-quiet">Details: {detail}</p>
}
