import { type Html, html } from '@rubrica/html';
import { lifeTitle, type Moment, moments, revocationText } from '../content/life.ts';
import type { Language } from '../language.ts';

const rowHeight = 64;
const issuedAt = 3;
const endsAt = 6;
const toY = (index: number) => 24 + index * rowHeight;

/** Draws the life of a certificate as a vertical line, which a phone shows at full size. */
export function renderLifePicture(language: Language): Html {
  const height = toY(moments.length - 1) + 92;
  return html`<svg class="life" viewBox="0 0 340 ${height}" role="img" aria-labelledby="life-title">
<title id="life-title">${lifeTitle[language]}</title>
<line class="whole" x1="20" y1="${toY(0)}" x2="20" y2="${toY(moments.length - 1)}"/>
<line class="valid" x1="20" y1="${toY(issuedAt)}" x2="20" y2="${toY(endsAt)}"/>
${moments.map((moment, index) => renderMoment(moment, { language, y: toY(index), isValid: index >= issuedAt && index < endsAt }))}
<text class="what" x="12" y="${height - 32}">${revocationText[language]}</text>
<text class="seen" x="12" y="${height - 14}">certificateStatus: REVOKED &#183; certificate.revoked</text>
</svg>`;
}

function renderMoment(
  { when, what, seen }: Moment,
  { language, y, isValid }: { readonly language: Language; readonly y: number; readonly isValid: boolean },
): Html {
  return html`<circle class="${isValid ? 'valid' : 'other'}" cx="20" cy="${y}" r="8"/>
<text class="when" x="44" y="${y - 8}">${when[language]}</text>
<text class="what" x="44" y="${y + 10}">${what[language]}</text>
<text class="seen" x="44" y="${y + 27}">${seen}</text>`;
}
