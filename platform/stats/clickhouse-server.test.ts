import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { clickHouseServer } from './clickhouse-server.ts'

test('a command that fails after its answer has begun has failed', async () => {
  const said = 'Code: 241. DB::Exception: Memory limit (total) exceeded. (MEMORY_LIMIT_EXCEEDED)'
  const server = http.createServer((request, response) => request.resume().on('end', () => response.end(said)))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const transport = clickHouseServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}/figures`)
  try {
    await expect(transport.send('insert into a select * from b', { settings: {} })).rejects.toThrow(/Memory limit/)
  } finally {
    await transport.close()
    server.close()
  }
})
