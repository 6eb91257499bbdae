import type { Genre } from './demo-catalog.ts'
import { seededRandom } from './seeded-random.ts'

/** Who wrote an article, where it is in its publication and what it is about. */
export interface DemoLabels {
  readonly authors: readonly string[]
  readonly section: string
  readonly tags: readonly string[]
}

const FAMILY_NAMES = [
  '佐伯',
  '三浦',
  '長谷川',
  '森下',
  '西村',
  '大塚',
  '藤原',
  '小野寺',
  '松井',
  '高橋',
  '北川',
  '宮本',
] as const
const GIVEN_NAMES = ['真由美', '健太', '彩', '直樹', '千尋', '拓也', '由佳', '翔', '恵', '誠', '美咲', '大輔'] as const
/** Every publisher has this many authors. */
const AUTHORS_OF_A_PUBLISHER = 8

const SECTIONS: Readonly<Record<Genre, readonly string[]>> = {
  news: ['国内', '政治', '社会', '経済', '国際'],
  sports: ['野球', 'サッカー', '陸上', '格闘技'],
  business: ['経済', '市況', '企業', '働き方'],
  technology: ['製品', 'AI', 'セキュリティー', 'アプリ'],
  entertainment: ['芸能', '映画', '音楽', 'ドラマ'],
  life: ['くらし', '健康', '子育て', '住まい'],
  food: ['レシピ', '外食', '食材'],
  local: ['まちの話題', '行政', '催し'],
}
const TAGS: Readonly<Record<Genre, readonly string[]>> = {
  news: ['防災', '選挙', '物価', '少子化', '交通', '速報'],
  sports: ['インタビュー', '速報', '高校生', '海外', '移籍'],
  business: ['決算', '円相場', '新規事業', '人手不足', '賃上げ'],
  technology: ['スマートフォン', '生成AI', '使い方', 'セール', '不具合'],
  entertainment: ['インタビュー', '新作', '舞台', '受賞'],
  life: ['節約', '片付け', '睡眠', '季節', '医師監修'],
  food: ['時短', '作り置き', '旬', '節約', 'スイーツ'],
  local: ['祭り', '商店街', '開店', '観光', '人'],
}

/** The labels of an article, the same on every machine. Some articles have no author, section or tags. */
export function demoLabelsOf(articleId: bigint, place: number, genre: Genre): DemoLabels {
  const random = seededRandom('labels', articleId)
  const author = () => authorOf(place, random.integer(0, AUTHORS_OF_A_PUBLISHER - 1))
  const count = random.next() < 0.12 ? 2 : random.next() < 0.08 ? 0 : 1
  return {
    authors: [...new Set(Array.from({ length: count }, author))],
    section: random.next() < 0.06 ? '' : random.pick(SECTIONS[genre]),
    tags: [...new Set(Array.from({ length: random.integer(0, 3) }, () => random.pick(TAGS[genre])))],
  }
}

function authorOf(place: number, number: number): string {
  const random = seededRandom('author', place, number)
  return `${random.pick(FAMILY_NAMES)} ${random.pick(GIVEN_NAMES)}`
}
