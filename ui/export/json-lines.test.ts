import { expect, test } from 'vitest'
import { jsonLines } from './json-lines.ts'

async function read(...chunks: readonly Uint8Array[]): Promise<unknown[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  const lines: unknown[] = []
  for await (const line of jsonLines(body)) lines.push(line)
  return lines
}
const bytes = (text: string) => new TextEncoder().encode(text)

test('lines are whole however they were cut, also within a character', async () => {
  const all = bytes('{"name":"東京"}\n[1]\n')
  for (let at = 0; at <= all.length; at += 1)
    expect(await read(all.slice(0, at), all.slice(at)), String(at)).toEqual([{ name: '東京' }, [1]])
})

test('a last line that broke off is none; nothing is no line', async () => {
  expect(await read(bytes('1\n{"a":'))).toEqual([1])
  expect(await read()).toEqual([])
})
