import type { Language } from '../context.ts';
import { type Html, html } from '../pages/html.ts';

type Text = Readonly<Record<Language, string>>;

interface Moment {
  readonly when: Text;
  readonly what: Text;
  /** What a program sees of it: a state, or an event. */
  readonly seen: string;
}

/** Of a certificate, from the first call to the last day of its evidence. */
const moments: readonly Moment[] = [
  {
    when: { en: 'Day 0', es: 'Día 0' },
    what: { en: 'You register the request', es: 'Usted registra la solicitud' },
    seen: 'REGISTERED',
  },
  {
    when: { en: 'At once, or when reviewed', es: 'Enseguida, o al revisar' },
    what: { en: 'Registries and evidence are checked', es: 'Se validan datos y evidencias' },
    seen: 'VALIDATING → APPROVED',
  },
  {
    when: { en: 'Within 50 days, where agreed', es: 'En 50 días, si se acordó' },
    what: { en: 'The applicant claims it', es: 'El solicitante lo retira' },
    seen: 'GENERATING',
  },
  {
    when: { en: 'Seconds later', es: 'Segundos después' },
    what: { en: 'Key and certificate are made', es: 'Se crean clave y certificado' },
    seen: 'certificate.issued',
  },
  {
    when: { en: '60 days before the end', es: '60 días antes del fin' },
    what: { en: 'It can be renewed', es: 'Se puede renovar' },
    seen: 'renewalOf · renewedBy',
  },
  {
    when: { en: '30, 15, 5 and 1 days before', es: '30, 15, 5 y 1 días antes' },
    what: { en: 'The subscriber is reminded by mail', es: 'Se recuerda al titular por correo' },
    seen: 'certificate.expiring (30, 5)',
  },
  {
    when: { en: 'The end', es: 'El fin' },
    what: { en: 'It signs no more', es: 'Deja de firmar' },
    seen: 'certificateStatus: EXPIRED',
  },
  {
    when: { en: '60 days after the end', es: '60 días después del fin' },
    what: { en: 'Renewal closes', es: 'Se cierra la renovación' },
    seen: 'RENEWAL_NOT_OPEN',
  },
  {
    when: { en: 'Years later', es: 'Años después' },
    what: { en: 'Evidence and data are erased', es: 'Se borran evidencias y datos' },
    seen: '404',
  },
];

const title: Text = { en: 'The life of a certificate', es: 'La vida de un certificado' };
const revocation: Text = {
  en: 'Revoked at any time before its end',
  es: 'Revocado en cualquier momento antes del fin',
};

const rowHeight = 64;
const issuedAt = 3;
const endsAt = 6;
const placeOf = (index: number) => 24 + index * rowHeight;

/** A line from top to bottom, so that a phone shows it at full size. */
export function lifePicture(language: Language): Html {
  const height = placeOf(moments.length - 1) + 92;
  return html`<svg class="life" viewBox="0 0 340 ${height}" role="img" aria-labelledby="life-title">
<title id="life-title">${title[language]}</title>
<line class="whole" x1="20" y1="${placeOf(0)}" x2="20" y2="${placeOf(moments.length - 1)}"/>
<line class="valid" x1="20" y1="${placeOf(issuedAt)}" x2="20" y2="${placeOf(endsAt)}"/>
${moments.map((moment, index) => momentOf(moment, { language, y: placeOf(index), isValid: index >= issuedAt && index < endsAt }))}
<text class="what" x="12" y="${height - 32}">${revocation[language]}</text>
<text class="seen" x="12" y="${height - 14}">certificateStatus: REVOKED &#183; certificate.revoked</text>
</svg>`;
}

function momentOf(
  { when, what, seen }: Moment,
  { language, y, isValid }: { readonly language: Language; readonly y: number; readonly isValid: boolean },
): Html {
  return html`<circle class="${isValid ? 'valid' : 'other'}" cx="20" cy="${y}" r="8"/>
<text class="when" x="44" y="${y - 8}">${when[language]}</text>
<text class="what" x="44" y="${y + 10}">${what[language]}</text>
<text class="seen" x="44" y="${y + 27}">${seen}</text>`;
}
