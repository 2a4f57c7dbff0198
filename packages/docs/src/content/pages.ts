import type { Language } from '../language.ts';
import type { Labels } from './labels.ts';

export interface PageRow {
  /** Address below `/docs/{language}`, and name of the files `content/{language}/{slug}.md`. */
  readonly slug: string;
  readonly group: Exclude<keyof Labels['groups'], 'reference'>;
  /** Name in the table of contents, which has no room for the title. */
  readonly name: Readonly<Record<Language, string>>;
}

/** Written pages, in reading order. The first one is `/docs/{language}` itself. */
export const pages: readonly PageRow[] = [
  { slug: 'start', group: 'begin', name: { en: 'The first ten minutes', es: 'Los primeros diez minutos' } },
  { slug: 'authentication', group: 'begin', name: { en: 'Authentication', es: 'Autenticación' } },
  { slug: 'conventions', group: 'begin', name: { en: 'Conventions', es: 'Convenciones' } },
  { slug: 'sdk', group: 'begin', name: { en: 'SDK', es: 'SDK' } },
  { slug: 'sandbox', group: 'begin', name: { en: 'Sandbox', es: 'Sandbox' } },
  { slug: 'linked-partner', group: 'requests', name: { en: 'Linked partner', es: 'Tercero vinculado' } },
  { slug: 'regular', group: 'requests', name: { en: 'Regular', es: 'Regular' } },
  { slug: 'transactional', group: 'requests', name: { en: 'Transactional', es: 'Transaccional' } },
  { slug: 'simplified', group: 'requests', name: { en: 'Simplified', es: 'Simplificada' } },
  { slug: 'api-flow', group: 'requests', name: { en: 'API flow', es: 'Flujo por API' } },
  { slug: 'states', group: 'requests', name: { en: 'States and retries', es: 'Estados y reintentos' } },
  { slug: 'claim', group: 'requests', name: { en: 'The claim', es: 'El retiro' } },
  {
    slug: 'life',
    group: 'requests',
    name: { en: "A certificate's life", es: 'La vida de un certificado' },
  },
  { slug: 'certificates', group: 'requests', name: { en: 'Certificates', es: 'Certificados' } },
  { slug: 'events', group: 'operate', name: { en: 'Events', es: 'Eventos' } },
  { slug: 'errors', group: 'operate', name: { en: 'Error codes', es: 'Códigos de error' } },
  { slug: 'rate-limits', group: 'operate', name: { en: 'Rate limits', es: 'Límites de uso' } },
  { slug: 'usage', group: 'operate', name: { en: 'Quotas and usage', es: 'Cupos y consumo' } },
  { slug: 'network', group: 'operate', name: { en: 'Network', es: 'Red' } },
  { slug: 'versions', group: 'operate', name: { en: 'Versions', es: 'Versiones' } },
];
