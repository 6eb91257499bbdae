import type { Picture } from '@pc/platform/objects/image-uploads.ts'
import type { Genre } from './demo-catalog.ts'
import { type SeededRandom, seededRandom } from './seeded-random.ts'

/** Twice the size of the largest thumbnail on the screens. */
const [WIDTH, HEIGHT] = [384, 216]
/** Pictures of a genre. */
const PER_GENRE = 3
/** Ridges in a picture. */
const HILLS = 3
type Colour = readonly [number, number, number]

/** Colours of the sky at the top, of the sky at the horizon and of the nearest hill. */
const COLOURS: Readonly<Record<Genre, readonly [Colour, Colour, Colour]>> = {
  news: [
    [38, 70, 120],
    [236, 205, 170],
    [24, 38, 64],
  ],
  sports: [
    [72, 160, 214],
    [224, 242, 230],
    [30, 104, 62],
  ],
  business: [
    [86, 110, 140],
    [240, 226, 204],
    [44, 54, 74],
  ],
  technology: [
    [36, 24, 84],
    [166, 108, 220],
    [14, 12, 40],
  ],
  entertainment: [
    [120, 36, 96],
    [255, 176, 132],
    [56, 16, 60],
  ],
  life: [
    [140, 196, 222],
    [255, 240, 214],
    [96, 140, 96],
  ],
  food: [
    [236, 154, 84],
    [255, 232, 186],
    [140, 66, 34],
  ],
  local: [
    [112, 176, 208],
    [250, 236, 196],
    [64, 108, 78],
  ],
}
const GENRES = Object.keys(COLOURS) as readonly Genre[]

/** Names are the same in every demonstration, so that a restart finds the pictures that exist already. */
const nameOf = (genre: Genre, number: number): string =>
  `de300000-0000-4000-8000-${String(GENRES.indexOf(genre) * PER_GENRE + number).padStart(12, '0')}`

/** Thumbnails of videos: some landscapes for each genre. */
export function* demoPictures(): Iterable<{ readonly name: string; readonly picture: Picture }> {
  for (const genre of GENRES) {
    for (let number = 0; number < PER_GENRE; number += 1) {
      yield { name: nameOf(genre, number), picture: landscape(genre, seededRandom('picture', genre, number)) }
    }
  }
}

/** The name of the picture of a video. */
export function demoPictureOf(genre: Genre, videoId: bigint): string {
  return nameOf(genre, seededRandom('thumbnail', videoId).integer(0, PER_GENRE - 1))
}

/** A sky with a sun behind hills; nearer hills are darker. */
function landscape(genre: Genre, random: SeededRandom): Picture {
  const [above, horizon, near] = COLOURS[genre]
  const sun = { x: random.integer(60, WIDTH - 60), y: random.integer(30, 110), r: random.integer(14, 34) }
  const ridges = Array.from({ length: HILLS }, (_, hill) => ridge(random, HEIGHT * (0.5 + 0.16 * hill)))
  const rgb = new Uint8Array(WIDTH * HEIGHT * 3)
  for (let y = 0; y < HEIGHT; y += 1) {
    const sky = mixed(above, horizon, y / (HEIGHT * 0.75))
    for (let x = 0; x < WIDTH; x += 1) {
      const hill = ridges.findLastIndex(line => y >= line[x]!)
      const glow = Math.max(0, 1 - Math.max(0, Math.hypot(x - sun.x, y - sun.y) - sun.r) / 40) ** 2
      const colour = hill < 0 ? mixed(sky, [255, 250, 232], glow) : mixed(horizon, near, (hill + 1.2) / (HILLS + 0.2))
      rgb.set(colour, (y * WIDTH + x) * 3)
    }
  }
  return { width: WIDTH, height: HEIGHT, rgb }
}

/** The upper edge of a hill, by column of the picture. */
function ridge(random: SeededRandom, base: number): number[] {
  const waves = [1, 2, 5].map(times => ({
    times,
    at: random.next() * Math.PI * 2,
    height: (26 * random.next()) / times,
  }))
  return Array.from(
    { length: WIDTH },
    (_, x) => base + waves.reduce((sum, { times, at, height }) => sum + height * Math.sin(at + (x / 70) * times), 0),
  )
}

function mixed(one: Colour, other: Colour, share: number): Colour {
  const part = Math.min(1, Math.max(0, share))
  return [0, 1, 2].map(at => Math.round(one[at]! + (other[at]! - one[at]!) * part)) as unknown as Colour
}
