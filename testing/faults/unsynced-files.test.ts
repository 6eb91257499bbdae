import { expect, test } from 'vitest'
import { FILE_MODE, FOLDER_MODE, PAGE_BYTES, ROOT_INODE, UnsyncedFiles } from './unsynced-files.ts'

function disk() {
  const files = new UnsyncedFiles()
  const root = files.get(ROOT_INODE)!
  const make = (name: string, content: string) => {
    const file = files.make(FILE_MODE | 0o600, 0, 0)
    files.name(root, name, file)
    files.write(file, 0, Buffer.from(content))
    return file
  }
  const shows = () =>
    Object.fromEntries(
      [...root.entries!].map(([name, number]) => {
        const inode = files.get(number)!
        return [name, files.read(inode, 0, inode.size).toString()]
      }),
    )
  return { files, root, make, shows }
}

test('what was synced is there after a cut, what was written later is not', () => {
  const { files, make, shows } = disk()
  const file = make('a', 'synced')
  files.sync(file)
  files.write(file, 0, Buffer.from('SYN'))
  files.write(file, PAGE_BYTES * 3, Buffer.from('far'))
  expect(file.size).toBe(PAGE_BYTES * 3 + 3)
  files.forget()
  expect(shows()).toEqual({ a: 'synced' })
  expect(files.unsyncedPagesForgotten).toBe(2)
})

test('a sync of one file keeps the names of all, not the contents of the others', () => {
  const { files, root, make, shows } = disk()
  const first = make('first', 'one')
  make('second', 'two')
  files.sync(first)
  make('third', 'three')
  files.forget()
  expect(shows()).toEqual({ first: 'one', second: '' })
  files.unname(root, 'second')
  files.forget()
  expect(shows()).toEqual({ first: 'one', second: '' })
})

test('a rename that was not synced leaves the old file; a shortened file is as long as it was', () => {
  const { files, root, make, shows } = disk()
  const old = make('config', 'old text')
  files.sync(old)
  const draft = make('config.new', 'new')
  files.sync(draft)
  files.unname(root, 'config.new')
  files.name(root, 'config', draft)
  files.resize(old, 3)
  files.forget()
  expect(shows()).toEqual({ config: 'old text', 'config.new': 'new' })
  files.resize(files.get(root.entries!.get('config')!)!, 3)
  files.syncNames()
  expect(shows()).toMatchObject({ config: 'old' })
})

test('a shortened and lengthened file reads zeros, before a cut and after it', () => {
  const { files, make } = disk()
  const file = make('a', 'x'.repeat(PAGE_BYTES * 2))
  files.sync(file)
  files.resize(file, 10)
  files.resize(file, PAGE_BYTES * 2)
  const zeros = Buffer.alloc(PAGE_BYTES * 2 - 10)
  expect(files.read(file, 10, PAGE_BYTES * 2).equals(zeros)).toBe(true)
  files.sync(file)
  files.write(file, 5, Buffer.from('later'))
  files.forget()
  expect(files.read(file, 0, 10).toString()).toBe('x'.repeat(10))
  expect(files.read(file, 10, PAGE_BYTES * 2).equals(zeros)).toBe(true)
})

test('with a seed, each unsynced page is there or not, whole', () => {
  const found = new Set<string>()
  for (let seed = 1; seed <= 40; seed += 1) {
    const { files, make } = disk()
    const file = make('a', 'a'.repeat(PAGE_BYTES * 2))
    files.sync(file)
    files.write(file, 0, Buffer.from('b'.repeat(PAGE_BYTES * 2)))
    files.forget(seed)
    const content = files.read(file, 0, file.size)
    const pages = [0, 1].map(page => content.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES).toString())
    for (const page of pages) expect(page).toMatch(/^(a+|b+)$/)
    found.add(pages.map(page => page[0]).join(''))
  }
  expect([...found].sort()).toEqual(['aa', 'ab', 'ba', 'bb'])
})

test('a folder whose name was forgotten is gone with everything in it', () => {
  const { files, root, make, shows } = disk()
  files.sync(make('kept', 'kept'))
  const folder = files.make(FOLDER_MODE | 0o700, 0, 0)
  files.name(root, 'folder', folder)
  const inside = files.make(FILE_MODE | 0o600, 0, 0)
  files.name(folder, 'inside', inside)
  files.forget()
  expect(shows()).toEqual({ kept: 'kept' })
  expect(files.get(inside.number)).toBeUndefined()
})
