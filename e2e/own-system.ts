import net from 'node:net'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import type { SystemAddress } from './running-system.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the owner of the running systems answers. */
    systemsSocket: string
  }
}

/**
 * The running system of this worker, with demonstration data. Test files run side by side, one in each worker; those of one
 * worker use its system one after the other, so that nobody closes a month while somebody else reads it.
 * @param name of a copy for one file alone, where no other test leaves its data
 */
export async function ownSystem(name = process.env.VITEST_POOL_ID ?? '1'): Promise<SystemAddress> {
  const connection = net.connect(inject('systemsSocket'))
  connection.end(name)
  const answer = JSON.parse(await text(connection)) as SystemAddress | { readonly error: string }
  if ('error' in answer) throw new Error(answer.error)
  return answer
}
