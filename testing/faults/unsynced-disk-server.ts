import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { FILE_MODE, FOLDER_MODE, type Inode, PAGE_BYTES, ROOT_INODE, UnsyncedFiles } from './unsynced-files.ts'

/**
 * A process that serves {@link UnsyncedFiles} to the kernel as a file system, over the kernel's FUSE protocol (version
 * 7.31, include/uapi/linux/fuse.h) and without a library. It must be a separate process, because one that waits for a
 * file cannot serve it. Reads and writes arrive at once (FOPEN_DIRECT_IO), so the kernel caches nothing that a power
 * cut would lose. After a cut every request fails with EIO, so that nothing is acknowledged that is not kept.
 */
export interface DiskCommand {
  readonly id: number
  readonly load?: string
  readonly mount?: string
  readonly cut?: true
  readonly forget?: { readonly seed?: number }
}
export interface DiskAnswer {
  readonly id: number
  readonly error?: string
  readonly forgotten?: number
}

const OP = {
  lookup: 1,
  forget: 2,
  getattr: 3,
  setattr: 4,
  readlink: 5,
  symlink: 6,
  mknod: 8,
  mkdir: 9,
  unlink: 10,
  rmdir: 11,
  rename: 12,
  link: 13,
  open: 14,
  read: 15,
  write: 16,
  statfs: 17,
  release: 18,
  fsync: 20,
  init: 26,
  opendir: 27,
  readdir: 28,
  releasedir: 29,
  fsyncdir: 30,
  create: 35,
  interrupt: 36,
  destroy: 38,
  batchForget: 42,
  fallocate: 43,
  rename2: 45,
} as const
const ERROR = { ENOENT: 2, EIO: 5, EEXIST: 17, ENOTDIR: 20, EINVAL: 22, ENOSYS: 38, ENOTEMPTY: 39 } as const

const WITHOUT_ANSWER: ReadonlySet<number> = new Set([OP.forget, OP.batchForget, OP.interrupt])

/** Header, largest write (both in bytes) and flags of the FUSE protocol. */
const HEADER_BYTES = 40
const MAX_WRITE = 131_072
const DIRECT_IO = 1
/** In seconds: how long the kernel may keep names and attributes. */
const CACHED_FOR_S = 3_600n
const BIG_WRITES = 1 << 5
const SET = { mode: 1, uid: 2, gid: 4, size: 8 } as const

class Refused extends Error {
  readonly code: number
  constructor(code: keyof typeof ERROR) {
    super(code)
    this.code = ERROR[code]
  }
}

interface Request {
  readonly opcode: number
  readonly inode: number
  readonly uid: number
  readonly gid: number
  readonly body: Buffer
}

const files = new UnsyncedFiles()
let isCut = false
/** The current mount. A process that still holds a file of an earlier one gets EIO for good. */
let currentMount = 0

function inodeOf(number: number): Inode {
  const inode = files.get(number)
  if (!inode) throw new Refused('ENOENT')
  return inode
}

function folderOf(number: number): Inode & { readonly entries: Map<string, number> } {
  const inode = inodeOf(number)
  if (!inode.entries) throw new Refused('ENOTDIR')
  return inode as Inode & { readonly entries: Map<string, number> }
}

function namesIn(body: Buffer, from: number): string[] {
  return body.subarray(from).toString('utf8').split('\0')
}

function attributes(inode: Inode): Buffer {
  const out = Buffer.alloc(88)
  const seconds = BigInt(Math.floor(inode.changedAtMs / 1000))
  out.writeBigUInt64LE(BigInt(inode.number), 0)
  out.writeBigUInt64LE(BigInt(inode.size), 8)
  out.writeBigUInt64LE(BigInt(Math.ceil(inode.size / 512)), 16)
  for (const at of [24, 32, 40]) out.writeBigUInt64LE(seconds, at)
  for (const at of [48, 52, 56]) out.writeUInt32LE((inode.changedAtMs % 1000) * 1_000_000, at)
  out.writeUInt32LE(inode.mode, 60)
  out.writeUInt32LE(inode.links, 64)
  out.writeUInt32LE(inode.uid, 68)
  out.writeUInt32LE(inode.gid, 72)
  out.writeUInt32LE(PAGE_BYTES, 80)
  return out
}

function entryAnswer(inode: Inode): Buffer {
  const out = Buffer.alloc(40)
  out.writeBigUInt64LE(BigInt(inode.number), 0)
  out.writeBigUInt64LE(CACHED_FOR_S, 16)
  out.writeBigUInt64LE(CACHED_FOR_S, 24)
  return Buffer.concat([out, attributes(inode)])
}

function attributeAnswer(inode: Inode): Buffer {
  const out = Buffer.alloc(16)
  out.writeBigUInt64LE(CACHED_FOR_S, 0)
  return Buffer.concat([out, attributes(inode)])
}

function openAnswer(flags: number): Buffer {
  const out = Buffer.alloc(16)
  out.writeUInt32LE(flags, 8)
  return out
}

function addTo(folder: Inode & { readonly entries: Map<string, number> }, name: string, inode: Inode): Buffer {
  if (folder.entries.has(name)) throw new Refused('EEXIST')
  files.name(folder, name, inode)
  return entryAnswer(inode)
}

function setAttributes(inode: Inode, body: Buffer): Buffer {
  const valid = body.readUInt32LE(0)
  if (valid & SET.size) files.resize(inode, Number(body.readBigUInt64LE(16)))
  if (valid & SET.mode) inode.mode = (inode.mode & ~0o7777) | (body.readUInt32LE(68) & 0o7777)
  if (valid & SET.uid) inode.uid = body.readUInt32LE(76)
  if (valid & SET.gid) inode.gid = body.readUInt32LE(80)
  return attributeAnswer(inode)
}

function rename(request: Request, namesFrom: number): Buffer {
  const [from, to] = [folderOf(request.inode), folderOf(Number(request.body.readBigUInt64LE(0)))]
  const [oldName = '', newName = ''] = namesIn(request.body, namesFrom)
  const moved = from.entries.get(oldName)
  if (moved === undefined) throw new Refused('ENOENT')
  const replaced = to.entries.get(newName)
  if (replaced !== undefined && (files.get(replaced)?.entries?.size ?? 0) > 0) throw new Refused('ENOTEMPTY')
  files.unname(from, oldName)
  files.name(to, newName, inodeOf(moved))
  return Buffer.alloc(0)
}

function readFolder({ inode, body }: Request): Buffer {
  const [offset, size] = [Number(body.readBigUInt64LE(8)), body.readUInt32LE(16)]
  const names = [...folderOf(inode).entries]
  const records: Buffer[] = []
  let bytes = 0
  for (let at = offset; at < names.length; at += 1) {
    const [name, number] = names[at]!
    const text = Buffer.from(name)
    const record = Buffer.alloc(Math.ceil((24 + text.length) / 8) * 8)
    if (bytes + record.length > size) break
    record.writeBigUInt64LE(BigInt(number), 0)
    record.writeBigUInt64LE(BigInt(at + 1), 8)
    record.writeUInt32LE(text.length, 16)
    record.writeUInt32LE((inodeOf(number).mode >> 12) & 15, 20)
    text.copy(record, 24)
    records.push(record)
    bytes += record.length
  }
  return Buffer.concat(records)
}

function remove({ inode, body, opcode }: Request): Buffer {
  const folder = folderOf(inode)
  const [name = ''] = namesIn(body, 0)
  const number = folder.entries.get(name)
  if (number === undefined) throw new Refused('ENOENT')
  const removed = inodeOf(number)
  if (opcode === OP.rmdir && (removed.entries?.size ?? 0) > 0) throw new Refused('ENOTEMPTY')
  removed.links -= 1
  files.unname(folder, name)
  return Buffer.alloc(0)
}

function initialAnswer(): Buffer {
  const out = Buffer.alloc(64)
  out.writeUInt32LE(7, 0)
  out.writeUInt32LE(31, 4)
  out.writeUInt32LE(MAX_WRITE, 8)
  out.writeUInt32LE(BIG_WRITES, 12)
  out.writeUInt16LE(32, 16)
  out.writeUInt16LE(24, 18)
  out.writeUInt32LE(MAX_WRITE, 20)
  out.writeUInt32LE(1, 24)
  return out
}

function statistics(): Buffer {
  const out = Buffer.alloc(80)
  for (const at of [0, 8, 16, 24, 32]) out.writeBigUInt64LE(4_000_000n, at)
  out.writeUInt32LE(PAGE_BYTES, 40)
  out.writeUInt32LE(255, 44)
  out.writeUInt32LE(PAGE_BYTES, 48)
  return out
}

/** The body of the response. */
function answer(request: Request): Buffer {
  const { opcode, inode, uid, gid, body } = request
  const nothing = Buffer.alloc(0)
  switch (opcode) {
    case OP.init:
      return initialAnswer()
    case OP.lookup: {
      const number = folderOf(inode).entries.get(namesIn(body, 0)[0]!)
      if (number === undefined) throw new Refused('ENOENT')
      return entryAnswer(inodeOf(number))
    }
    case OP.getattr:
      return attributeAnswer(inodeOf(inode))
    case OP.setattr:
      return setAttributes(inodeOf(inode), body)
    case OP.readlink:
      return Buffer.from(inodeOf(inode).target ?? '')
    case OP.symlink: {
      const [name = '', target = ''] = namesIn(body, 0)
      return addTo(folderOf(inode), name, files.make(0o120_777, uid, gid, target))
    }
    case OP.mknod:
      return addTo(folderOf(inode), namesIn(body, 16)[0]!, files.make(body.readUInt32LE(0), uid, gid))
    case OP.mkdir:
      return addTo(
        folderOf(inode),
        namesIn(body, 8)[0]!,
        files.make(FOLDER_MODE | (body.readUInt32LE(0) & 0o7777), uid, gid),
      )
    case OP.create: {
      const made = files.make(FILE_MODE | (body.readUInt32LE(4) & 0o7777), uid, gid)
      return Buffer.concat([addTo(folderOf(inode), namesIn(body, 16)[0]!, made), openAnswer(DIRECT_IO)])
    }
    case OP.link: {
      const linked = inodeOf(Number(body.readBigUInt64LE(0)))
      linked.links += 1
      return addTo(folderOf(inode), namesIn(body, 8)[0]!, linked)
    }
    case OP.unlink:
    case OP.rmdir:
      return remove(request)
    case OP.rename:
      return rename(request, 8)
    case OP.rename2:
      if (body.readUInt32LE(8) !== 0) throw new Refused('EINVAL')
      return rename(request, 16)
    case OP.open:
      inodeOf(inode)
      return openAnswer(DIRECT_IO)
    case OP.opendir:
      folderOf(inode)
      return openAnswer(0)
    case OP.readdir:
      return readFolder(request)
    case OP.read:
      return files.read(inodeOf(inode), Number(body.readBigUInt64LE(8)), body.readUInt32LE(16))
    case OP.write: {
      const size = body.readUInt32LE(16)
      files.write(inodeOf(inode), Number(body.readBigUInt64LE(8)), body.subarray(40, 40 + size))
      const out = Buffer.alloc(8)
      out.writeUInt32LE(size, 0)
      return out
    }
    case OP.fallocate: {
      const [offset, length] = [Number(body.readBigUInt64LE(8)), Number(body.readBigUInt64LE(16))]
      if (body.readUInt32LE(24) !== 0) throw new Refused('ENOSYS')
      const file = inodeOf(inode)
      if (offset + length > file.size) files.resize(file, offset + length)
      return nothing
    }
    case OP.fsync:
      files.sync(inodeOf(inode))
      return nothing
    case OP.fsyncdir:
      files.syncNames()
      return nothing
    case OP.statfs:
      return statistics()
    case OP.release:
    case OP.releasedir:
    case OP.destroy:
      return nothing
    default:
      throw new Refused('ENOSYS')
  }
}

function serve(device: number, mountNumber: number): void {
  const buffer = Buffer.alloc(MAX_WRITE + PAGE_BYTES * 2)
  let hasAnswered = false
  const next = () =>
    fs.read(device, buffer, 0, buffer.length, null, (error, bytes) => {
      // Not mounted yet: the command that mounts is running at the same time.
      if (error?.code === 'EPERM' && !hasAnswered) return void setTimeout(next, 2)
      hasAnswered = true
      if (error && error.code !== 'ENOENT' && error.code !== 'EINTR' && error.code !== 'EAGAIN') {
        fs.closeSync(device) // unmounted
        return
      }
      if (!error) reply(device, buffer.subarray(0, bytes), isCut || mountNumber !== currentMount)
      next()
    })
  next()
}

function reply(device: number, message: Buffer, isDead: boolean): void {
  const unique = message.readBigUInt64LE(8)
  const request: Request = {
    opcode: message.readUInt32LE(4),
    inode: Number(message.readBigUInt64LE(16)),
    uid: message.readUInt32LE(24),
    gid: message.readUInt32LE(28),
    body: message.subarray(HEADER_BYTES),
  }
  let body: Buffer | undefined
  let code = 0
  try {
    if (WITHOUT_ANSWER.has(request.opcode)) return
    if (isDead) throw new Refused('EIO')
    body = answer(request)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    code = error.code
  }
  const head = Buffer.alloc(16)
  head.writeUInt32LE(16 + (body?.length ?? 0), 0)
  head.writeInt32LE(-code, 4)
  head.writeBigUInt64LE(unique, 8)
  try {
    fs.writevSync(device, body?.length ? [head, body] : [head])
  } catch (error) {
    // The requesting process was killed, or the disk was unmounted.
    if (!['ENOENT', 'ENODEV', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

async function mount(folder: string): Promise<void> {
  const device = fs.openSync('/dev/fuse', 'r+')
  currentMount += 1
  serve(device, currentMount)
  const options = 'fd=3,rootmode=40000,user_id=0,group_id=0,allow_other'
  const child = spawn('mount', ['-i', '-t', 'fuse', '-o', options, 'unsynced', folder], {
    stdio: ['ignore', 'ignore', 'pipe', device],
  })
  let said = ''
  child.stderr!.on('data', (chunk: Buffer) => (said += chunk))
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(said.trim() || `mount ended with code ${code}`)
}

async function obey(command: DiskCommand): Promise<Omit<DiskAnswer, 'id'>> {
  if (command.cut) isCut = true
  if (command.load !== undefined) files.load(command.load, inodeOf(ROOT_INODE))
  if (command.forget) {
    const before = files.unsyncedPagesForgotten
    files.forget(command.forget.seed)
    isCut = false
    return { forgotten: files.unsyncedPagesForgotten - before }
  }
  if (command.mount !== undefined) await mount(command.mount)
  return {}
}

process.on('message', (command: DiskCommand) => {
  void obey(command)
    .catch((error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }))
    .then(outcome => process.send?.({ id: command.id, ...outcome } satisfies DiskAnswer))
})
process.on('disconnect', () => process.exit())
