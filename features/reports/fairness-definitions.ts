/** Explanations in the column headers of the fee fairness report. */
export const FAIRNESS_DEFINITIONS = {
  perMille:
    '確定した対価を、閲覧・再生1,000回あたりに直した額です。小数第1位で切り捨てます。\n計算：対価 ÷ 閲覧・再生数 × 1,000',
  position:
    '同じ媒体のパブリッシャーの中での位置です。低め：下位4分の1より低い。標準：その間。高め：上位4分の1より高い。',
  views: '記事が開かれて読まれた回数と、動画・ライブが再生された回数の合計です。',
  fee: '確定した月の収益です（分配、固定費、最低保証。税抜）。手動の調整と繰り越しは含みません。',
  rate: 'その月の自社広告の料率です。',
  fixed: '対価のうち、固定費の額です。',
  minimumTopUp: '対価のうち、最低保証に足りない分を補った額です。',
} as const
