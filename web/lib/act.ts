import { ActionAnswer } from '../../core/contract/call.ts'
import { call } from './http.ts'

/**
 * Makes a call that starts something.
 * @param deadline in milliseconds, for what takes longer than most
 * @throws what `call` throws, and Error with the server's reason when the answer says that it did not work
 */
export async function act(method: 'POST' | 'DELETE', url: string, deadline?: number): Promise<void> {
  const { success, error } = await call(url, { method, deadline, answer: ActionAnswer })
  if (!success) throw new Error(error)
}
