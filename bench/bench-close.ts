import { measureClose, printClose } from './measure-close.ts'

// Runs only the measurement of `measure-close.ts`: `node bench/bench-close.ts`. `BENCH_AGREEMENTS` changes its size.

const say = (text: string) => void process.stdout.write(`${text}\n`)
say(printClose(await measureClose(Number(process.env.BENCH_AGREEMENTS ?? 10_000), say)))
