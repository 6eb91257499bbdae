import { measureClose, printClose } from './measure-close.ts'

// The measurement of `measure-close.ts` by itself: `node bench/bench-close.ts`, with `BENCH_AGREEMENTS` for another size.

const say = (text: string) => void process.stdout.write(`${text}\n`)
say(printClose(await measureClose(Number(process.env.BENCH_AGREEMENTS ?? 10_000), say)))
