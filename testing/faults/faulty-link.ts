import net from 'node:net'

/**
 * What a link does with what passes over it:
 * - `whole`: passes it on;
 * - `silent`: takes connections and bytes and passes nothing on, until it is whole again;
 * - `slow`: passes one piece on every two seconds, in each direction;
 * - `restarted`: the connections that were open stay silent for good, new ones are whole (a firewall that was restarted);
 * - `dying`: ends every connection ten times a second, in the middle of whatever passes;
 * - `away`: refuses every connection.
 */
export type LinkState = 'whole' | 'silent' | 'slow' | 'restarted' | 'dying' | 'away'

export interface FaultyLink {
  readonly port: number
  become(state: LinkState): void
  close(): Promise<void>
}

const SLOW_MS = 2_000
const DYING_EVERY_MS = 100

interface Pair {
  readonly sockets: readonly [net.Socket, net.Socket]
  isForgotten: boolean
}

/** A TCP proxy to `target` with faults, on a free loopback port. */
export async function faultyLink(target: { readonly host: string; readonly port: number }): Promise<FaultyLink> {
  const pairs = new Set<Pair>()
  let state: LinkState = 'whole'
  let killing: NodeJS.Timeout | undefined
  const isStill = (pair: Pair) => pair.isForgotten || state === 'silent'
  const settle = (pair: Pair) => {
    for (const socket of pair.sockets) isStill(pair) ? socket.pause() : socket.resume()
  }
  const end = (pair: Pair) => {
    for (const socket of pair.sockets) socket.destroy()
    pairs.delete(pair)
  }
  const server = net.createServer(near => {
    if (state === 'away') return void near.resetAndDestroy()
    const far = net.connect(target)
    const pair: Pair = { sockets: [near, far], isForgotten: false }
    pairs.add(pair)
    for (const [from, to] of [pair.sockets, pair.sockets.toReversed()] as [net.Socket, net.Socket][]) {
      let last: Promise<unknown> = Promise.resolve()
      const pass = (work: () => void) => {
        if (state !== 'slow') return void last.then(work)
        last = last.then(() => new Promise<void>(resolve => setTimeout(resolve, SLOW_MS))).then(work)
      }
      from.on('data', (piece: Buffer) => pass(() => void (to.writable && to.write(piece))))
      from.on('end', () => pass(() => to.end()))
      from.on('error', () => end(pair))
      from.on('close', () => pass(() => end(pair)))
    }
    settle(pair)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as net.AddressInfo).port,
    become(next) {
      clearInterval(killing)
      state = next
      if (next === 'restarted') for (const pair of pairs) pair.isForgotten = true
      if (next === 'away') for (const pair of [...pairs]) end(pair)
      if (next === 'dying')
        killing = setInterval(() => {
          for (const pair of [...pairs]) end(pair)
        }, DYING_EVERY_MS)
      for (const pair of pairs) settle(pair)
    },
    async close() {
      clearInterval(killing)
      for (const pair of [...pairs]) end(pair)
      await new Promise(resolve => server.close(resolve))
    },
  }
}
