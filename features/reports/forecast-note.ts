/** The explanation of a forecast, shown after the definition of its figure. */
export const FORECAST_NOTE =
  '着地見込み：集計済みの日の実績と、残りの日の見込み（直近8週の曜日ごとの平均を、直近14日の水準に合わせたもの）の合計です。幅は、過去に同じ計算をした5回のうち4回が収まった範囲です。お支払いの根拠にはなりません。'
