import net from 'node:net'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import type { SystemAddress } from './running-system.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The socket on which the owner of the running systems answers. */
    systemsSocket: string
  }
}

/**
 * The running system of this test worker, with demonstration data. The test files of a worker use it one after the
 * other, so that no file closes a month while another reads it.
 * @param name of a further copy for one file alone, without data of other tests
 */
export async function ownSystem(name = process.env.VITEST_POOL_ID ?? '1'): Promise<SystemAddress> {
  const connection = net.connect(inject('systemsSocket'))
  connection.end(name)
  const answer = JSON.parse(await text(connection)) as SystemAddress | { readonly error: string }
  if ('error' in answer) throw new Error(answer.error)
  return answer
}
