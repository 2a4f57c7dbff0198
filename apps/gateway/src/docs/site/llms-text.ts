import { pages } from '../pages.ts';
import { pageAddress } from './contents.ts';
import type { Site } from './site.ts';

/** The documentation's contents for language models (https://llmstxt.org). */
export function llmsText(site: Site, baseUrl: string): string {
  const line = (slug: string) => {
    const page = site.content('en', slug);
    const description = page?.description.replaceAll(/\]\([^)]*\)|\[/g, '') ?? '';
    return `- [${page?.title}](${baseUrl}${pageAddress('en', slug)}): ${description}`;
  };
  const guides = pages.map(({ slug }) => slug);
  const operations = site.slugs.filter((slug) => !guides.includes(slug));
  return `# Rubrica

> Registers requests for electronic-signature certificates and drives them to issuance. REST for partners, signed webhooks, a sandbox with test people.

The whole interface as OpenAPI 3.1: ${baseUrl}/openapi.json

## Guides

${guides.map(line).join('\n')}

## Operations

${operations.map(line).join('\n')}

## Optional

- [In Spanish](${baseUrl}${pageAddress('es', 'start')}): la documentación en español
- [Operators' procedures](${baseUrl}/docs/operators): tRPC, for dashboards
`;
}
