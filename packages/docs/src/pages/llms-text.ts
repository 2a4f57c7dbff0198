import { pages } from '../content/pages.ts';
import type { SitePage } from '../site-page.ts';
import { pageAddress } from './contents.ts';

/** Writes the contents of the English pages for language models (https://llmstxt.org). */
export function writeLlmsText(english: ReadonlyMap<string, SitePage>, baseUrl: string): string {
  const lines = [...english].map(([slug, { title, description }]) => {
    const plain = description.replaceAll(/\]\([^)]*\)|\[/g, '');
    return { slug, line: `- [${title}](${baseUrl}${pageAddress('en', slug)}): ${plain}` };
  });
  const isGuide = ({ slug }: { readonly slug: string }) => pages.some((page) => page.slug === slug);
  const list = (some: typeof lines) => some.map(({ line }) => line).join('\n');
  return `# Rubrica

> Registers requests for electronic-signature certificates and drives them to issuance. REST for partners, signed webhooks, a sandbox with test people.

The whole interface as OpenAPI 3.1: ${baseUrl}/openapi.json

## Guides

${list(lines.filter(isGuide))}

## Operations

${list(lines.filter((one) => !isGuide(one)))}

## Optional

- [In Spanish](${baseUrl}${pageAddress('es', 'start')}): la documentación en español
- [Operators' procedures](${baseUrl}/docs/operators): tRPC, for dashboards
`;
}
