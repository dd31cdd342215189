import { useSettings } from '../../lib/settings.ts'
import { Notice } from '../../ui/notice.tsx'

/** Tells managers that visitors cannot be told apart, and what to do. */
export function ProxyNotice() {
  const { data } = useSettings()
  return (
    <div role="status" className="not-empty:mb-5">
      {data?.proxy_ignored && (
        <Notice title="All visitors count as one address">
          Requests come through a proxy, but the setting <code>TRUST_PROXY_HOPS</code> is 0. One visitor who sends too
          many forms or wrong passwords is therefore limited together with everybody else, and consents are stored with
          the address of the proxy. Set <code>TRUST_PROXY_HOPS</code> to the number of proxies in front of Leadwell,
          usually 1, and start it again.
        </Notice>
      )}
    </div>
  )
}
