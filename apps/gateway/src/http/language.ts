export type Language = 'en' | 'es';

/** The fallback, English, unless the caller prefers the other (RFC 9110 §12.5.4). */
export function preferredLanguage(acceptLanguage: string | undefined, fallback: Language = 'en'): Language {
  if (acceptLanguage === undefined) return fallback;
  let best: Language = fallback;
  let bestWeight = 0;
  for (const range of acceptLanguage.slice(0, 200).split(',')) {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
    const [primary] = tag.split('-');
    if (primary !== 'en' && primary !== 'es') continue;
    const weight = weightOf(parameters);
    if (weight <= bestWeight) continue;
    best = primary;
    bestWeight = weight;
  }
  return best;
}

function weightOf(parameters: readonly string[]): number {
  const quality = parameters.map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find(Boolean);
  const weight = quality === undefined ? 1 : Number(quality);
  return Number.isNaN(weight) ? 0 : weight;
}
