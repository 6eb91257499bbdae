import type { ServicePrefix } from '@pc/domain/access/resource-name.ts'
import {
  IconArticle,
  IconDeviceTvOld,
  IconNews,
  IconTicket,
  IconUserShield,
  type TablerIcon,
} from '@tabler/icons-react'
import type { Can } from '../session/viewer.tsx'

/** A service of the launcher. */
export interface Service {
  readonly group: string
  readonly title: string
  readonly description: string
  readonly link: string
  /** The service is listed when the person may list any resource with this prefix. */
  readonly resourcePrefix: ServicePrefix
  readonly icon: TablerIcon
}

const SERVICES: readonly Service[] = [
  {
    group: '権限管理',
    title: 'ユーザー管理',
    description: 'ユーザーと権限を管理します',
    link: '/iam/',
    resourcePrefix: 'iam:',
    icon: IconUserShield,
  },
  {
    group: '記事管理',
    title: 'パブリッシャーセンター',
    description: '記事と動画の成果、契約、支払を確認します',
    link: '/gpc/',
    resourcePrefix: 'insight:',
    icon: IconNews,
  },
  {
    group: '入稿ツール',
    title: 'クーポン管理',
    description: 'クーポンを入稿、管理します',
    link: '/coupon/',
    resourcePrefix: 'coupon:',
    icon: IconTicket,
  },
  {
    group: '動画管理ツール',
    title: '動画管理',
    description: '動画を登録、管理します',
    link: '/video-manager/',
    resourcePrefix: 'video:',
    icon: IconDeviceTvOld,
  },
  {
    group: '記事入稿ツール',
    title: '記事入稿',
    description: '記事を作成、入稿します',
    link: '/article-manager/',
    resourcePrefix: 'article:',
    icon: IconArticle,
  },
]

/** The services that a person sees: deployed, and with a resource that the person may list. */
export function listServices(can: Can, deployed: readonly string[]): readonly Service[] {
  return SERVICES.filter(service => deployed.includes(service.link) && can('read:list', service.resourcePrefix))
}
