import type { ChangeDimension } from '@pc/domain/change/change-cause.ts'
import { type ChangePart, isMember } from '@pc/domain/change/change-parts.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { weekdayName } from '@pc/domain/month/day-text.ja.ts'
import { NO_LABEL } from '@pc/domain/report/article-label.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import { ARTICLES, VIDEOS } from '../../core/server/content-kind.ts'
import { readContentMaster } from '../../core/server/content-master.ts'
import { readLabelNames } from '../../core/server/label-names.ts'
import { readPublisherNames } from '../../core/server/publisher-names.ts'
import { type ComparedDay, comparedDayLabel, type MissingMember, missingLabel } from './day-members.ts'

/** A dimension with its parts, before they are named. */
export interface ReadDimension {
  readonly dimension: ChangeDimension
  readonly parts: readonly ChangePart[]
  readonly missing?: readonly MissingMember[]
}

interface MemberLabels {
  labelOf(dimension: ReadDimension, part: ChangePart): string
}

/**
 * The names of the listed members; members outside the reader's scope are named by their id.
 * Tested by `features/reports/changes/server/change-report.test.ts`.
 */
export async function memberLabels(
  reader: Reader,
  dimensions: readonly ReadDimension[],
  days: readonly ComparedDay[],
): Promise<MemberLabels> {
  const idsOf = (name: ChangeDimension) =>
    dimensions
      .filter(({ dimension }) => dimension === name)
      .flatMap(({ parts }) => parts)
      .filter(isMember)
      .map(({ id }) => memberId(id))
  const missing = dimensions.flatMap(found => found.missing ?? []).map(({ mediumId }) => mediumId)
  const [media, publishers, articles, videos, sections] = await Promise.all([
    readMediumNames(reader, [...idsOf('medium'), ...missing]),
    readPublisherNames(reader, idsOf('publisher')),
    readContentMaster(reader, ARTICLES, idsOf('article')),
    readContentMaster(reader, VIDEOS, idsOf('video')),
    readLabelNames(reader, idsOf('section')),
  ])
  const nameOf = (dimension: ChangeDimension, id: string): string | undefined => {
    const key = memberId(id)
    switch (dimension) {
      case 'medium':
        return media.get(key)
      case 'publisher':
        return publishers.get(key)
      case 'article':
        return articles.get(key)?.title
      case 'video':
        return videos.get(key)?.title
      case 'section':
        return key === 0n ? NO_LABEL : (sections.get(key)?.name ?? undefined)
      default:
        return undefined
    }
  }
  return {
    labelOf({ dimension, missing = [] }, { id, kind }) {
      if (kind === 'others') return OTHERS[dimension]
      if (kind === 'outside') return `${CONTENT_NOUNS[dimension] ?? ''}に分けられない分`
      if (dimension === 'day') return comparedDayLabel(id as Day, days)
      if (dimension === 'weekday') return `${weekdayName(Number(id))}曜日`
      if (dimension === 'data') {
        const member = missing.find(each => each.id === id)!
        return missingLabel(member, media.get(member.mediumId) ?? `ID ${member.mediumId}`)
      }
      return nameOf(dimension, id) || `ID ${memberId(id)}`
    },
  }
}

const OTHERS: Readonly<Record<ChangeDimension, string>> = {
  data: 'データのそろっている日',
  article: 'そのほかの記事',
  video: 'そのほかの動画',
  section: 'そのほかのセクション',
  publisher: 'そのほかのパブリッシャー',
  medium: 'そのほかの媒体',
  day: 'そのほかの日',
  weekday: 'そのほかの曜日',
}
const CONTENT_NOUNS: { readonly [Dimension in ChangeDimension]?: string } = {
  article: '記事',
  video: '動画',
  section: '記事',
}

/** The number in a member's id, without the publisher of an article or video (`<id>:<publisher>`); 0 for days. */
function memberId(id: string): bigint {
  const [own] = id.split(':')
  return /^\d+$/.test(own!) ? BigInt(own!) : 0n
}

async function readMediumNames(reader: Reader, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> {
  if (ids.length === 0) return new Map()
  const rows = await reader
    .selectFrom('media')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
