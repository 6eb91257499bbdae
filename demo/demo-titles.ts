import type { Genre } from './demo-catalog.ts'
import type { SeededRandom } from './seeded-random.ts'

interface Grammar {
  readonly subjects: readonly string[]
  readonly events: readonly string[]
  readonly tails: readonly string[]
}

const PLACES = [
  '駅前',
  '港町',
  '商店街',
  '郊外',
  '湖畔',
  '温泉街',
  '城下町',
  '島',
  '峠',
  '川沿い',
  '団地',
  '市場',
] as const
const GRAMMARS: Readonly<Record<Genre, Grammar>> = {
  news: {
    subjects: [
      '市議会',
      '国土計画',
      '大雨',
      '地方鉄道',
      '公立病院',
      '小学校の給食',
      '空き家対策',
      '防災訓練',
      '物価',
      '選挙制度',
    ],
    events: [
      '見直しへ',
      '協議が本格化',
      '専門家が警鐘',
      '住民説明会を開催',
      '新たな指針を公表',
      '来月から変更',
      '全国で広がる',
    ],
    tails: ['背景に人手不足', '現場の声を聞く', '家計への影響は', '課題を整理する', '私たちにできること', ''],
  },
  sports: {
    subjects: [
      '首位攻防戦',
      '若手投手',
      '主将',
      '代表候補',
      '新監督',
      '駅伝強豪校',
      'ベテラン',
      '昇格争い',
      '柔道の新星',
    ],
    events: ['劇的な逆転勝利', '復帰戦で躍動', '自己最高を更新', '契約更新を発表', '延長の末に涙', '開幕へ手応え'],
    tails: ['「仲間を信じた」', '次戦は週末', '指揮官が語る勝因', '数字で見る好調の理由', ''],
  },
  business: {
    subjects: [
      '中小企業の賃上げ',
      '円相場',
      '地方銀行',
      '物流倉庫',
      '半導体部材',
      '観光需要',
      '老舗メーカー',
      '新興企業',
    ],
    events: ['3年ぶりの高水準', '転換点を迎える', '設備投資を拡大', '値上げに踏み切る', '提携を発表', '採用を倍増'],
    tails: ['現場で何が起きているか', '決算から読み解く', '投資家の視点', '3つの図で解説', ''],
  },
  technology: {
    subjects: [
      '折りたたみ端末',
      '家庭用ロボット',
      '省電力チップ',
      '翻訳アプリ',
      '電動自転車',
      '空気清浄機',
      '無線イヤホン',
    ],
    events: ['実機を試した', '価格と違いを比較', '発売日が決定', '一週間使って分かったこと', '設定のコツ', '値下げへ'],
    tails: ['買う前に知りたい5項目', '電池の持ちは', '前の機種との差', '初心者にも分かりやすく', ''],
  },
  entertainment: {
    subjects: ['秋の連続ドラマ', '人気声優', '朗読劇', '新人歌手', '名作映画', '深夜番組', '舞台俳優', '二人組芸人'],
    events: ['見どころを紹介', '主演が決定', '最終回に反響', '初の全国公演', '撮影秘話を語る', '配信が開始'],
    tails: ['「台本を読んで涙」', '共演者からの言葉', '次回作への意欲', '写真12枚', ''],
  },
  life: {
    subjects: [
      '梅雨の洗濯',
      '押し入れの整理',
      '子どもの睡眠',
      '冬の乾燥',
      '親の介護',
      '手帳術',
      '朝の体操',
      '花粉の季節',
    ],
    events: ['今日からできる工夫', '専門家に聞く', '見直したい習慣', '失敗しない選び方', '10分で終わる方法'],
    tails: ['無理なく続けるこつ', '読者の体験談', 'よくある質問', '道具は家にあるもの', ''],
  },
  food: {
    subjects: ['鶏むね肉', '旬の大根', '豆腐', 'さつまいも', '塩さば', '春キャベツ', '冷やごはん', '米粉'],
    events: ['しっとり仕上げる', '主役にする', '作り置き3品', '15分で一皿', '香ばしく焼く', '弁当にも合う'],
    tails: ['失敗しない火加減', '冷めてもおいしい', '味付けは2つだけ', '家族に好評', ''],
  },
  local: {
    subjects: ['朝市', '古民家の喫茶店', '秋祭り', '小さな図書館', '路面電車', '桜並木', '灯台', '地元の酒蔵'],
    events: ['にぎわい戻る', '百年の歴史', '週末に公開', '若者が受け継ぐ', '新しい名物が誕生', '見ごろを迎える'],
    tails: ['歩いて巡る半日', '店主の思い', '地図で紹介', '訪ねてみた', ''],
  },
}

/** An invented headline. */
export function demoTitle(genre: Genre, random: SeededRandom): string {
  const { subjects, events, tails } = GRAMMARS[genre]
  const subject = random.next() < 0.35 ? `${random.pick(PLACES)}の${random.pick(subjects)}` : random.pick(subjects)
  const tail = random.pick(tails)
  const head = random.next() < 0.2 ? `【${random.pick(['独自', '解説', '特集', '連載', '速報'])}】` : ''
  return `${head}${subject}、${random.pick(events)}${tail ? `　${tail}` : ''}`
}

/** An invented title of a video. */
export function demoVideoTitle(genre: Genre, random: SeededRandom): string {
  const { subjects, events } = GRAMMARS[genre]
  return `${random.pick(['【動画】', '', ''])}${random.pick(subjects)} ${random.pick(events)}`
}
