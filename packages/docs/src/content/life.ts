import type { Language } from '../language.ts';

type Text = Readonly<Record<Language, string>>;

export interface Moment {
  readonly when: Text;
  readonly what: Text;
  /** State or event that a program observes. */
  readonly seen: string;
}

/** Moments of a certificate, from the first call to the last day of its evidence. */
export const moments: readonly Moment[] = [
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

export const lifeTitle: Text = { en: 'The life of a certificate', es: 'La vida de un certificado' };
export const revocationText: Text = {
  en: 'Revoked at any time before its end',
  es: 'Revocado en cualquier momento antes del fin',
};
