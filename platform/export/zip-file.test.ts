import { crc32, inflateRawSync } from 'node:zlib'
import type { ZipEntry } from '@pc/domain/spreadsheet/zip.ts'
import { expect, test } from 'vitest'
import { zipArchive } from './zip-file.ts'

const entry = (name: string, text: string): ZipEntry => ({ name, content: [Buffer.from(text)] })

/** Reads an archive by its directory, as other programs do. */
function read(archive: Uint8Array): { name: string; text: string }[] {
  const bytes = Buffer.from(archive)
  const end = bytes.length - 22
  expect(bytes.readUInt32LE(end)).toBe(0x0605_4b50)
  let at = bytes.readUInt32LE(end + 16)
  return Array.from({ length: bytes.readUInt16LE(end + 10) }, () => {
    expect(bytes.readUInt32LE(at)).toBe(0x0201_4b50)
    expect(bytes.readUInt16LE(at + 8)).toBe(0x0808)
    const [checksum, packed, size] = [16, 20, 24].map(offset => bytes.readUInt32LE(at + offset))
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.subarray(at + 46, at + 46 + nameLength).toString('utf8')
    const local = bytes.readUInt32LE(at + 42)
    expect(bytes.readUInt32LE(local)).toBe(0x0403_4b50)
    const start = local + 30 + bytes.readUInt16LE(local + 26)
    const content = inflateRawSync(bytes.subarray(start, start + packed!))
    expect([content.length, crc32(content)]).toEqual([size, checksum])
    at += 46 + nameLength
    return { name, text: content.toString('utf8') }
  })
}

test('gives back what was put in, Japanese names and empty files too; the same bytes every time', async () => {
  const texts = [
    { name: '支払通知書_202606.pdf', text: 'x'.repeat(100_000) },
    { name: '空.csv', text: '' },
    { name: 'b', text: '日本語' },
  ]
  const entries = texts.map(({ name, text }) => entry(name, text))
  const archive = await zipArchive(entries)
  expect(read(archive)).toEqual(texts)
  expect(Buffer.from(await zipArchive(entries)).equals(Buffer.from(archive))).toBe(true)
  expect(read(await zipArchive([]))).toEqual([])
})

test('two files of one name would hide each other', async () => {
  await expect(zipArchive([entry('a', '1'), entry('a', '2')])).rejects.toThrow(RangeError)
})
